import Observability

Logger(label: "geopush").notice("hello")
