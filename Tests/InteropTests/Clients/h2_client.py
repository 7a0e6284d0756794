"""Opens one connection with the Python package h2, sends pushes at once, and prints every event, one JSON array.

Reads its task as JSON from standard input: {port, ca, alpn: bool, tls: "1.2"|"1.3", pushes: [{headers: [[n, v]], body}]}.
"""

import json
import socket
import ssl
import sys

import h2.config
import h2.connection
import h2.events

task = json.load(sys.stdin)
context = ssl.create_default_context(cafile=task["ca"])
version = ssl.TLSVersion.TLSv1_2 if task["tls"] == "1.2" else ssl.TLSVersion.TLSv1_3
context.minimum_version = context.maximum_version = version
if task["alpn"]:
    context.set_alpn_protocols(["h2"])
plain = socket.create_connection(("localhost", task["port"]), timeout=20)
wire = context.wrap_socket(plain, server_hostname="localhost")
connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
connection.initiate_connection()
wire.sendall(connection.data_to_send())
log = [{"event": "connected", "tls": wire.version(), "alpn": wire.selected_alpn_protocol()}]
waiting = list(task["pushes"])
open_streams = set()


def fill():
    """Opens as many streams as the server allows."""
    allowed = connection.remote_settings.max_concurrent_streams if log_has("settings") else 0
    while waiting and len(open_streams) < allowed:
        push = waiting.pop(0)
        stream = connection.get_next_available_stream_id()
        connection.send_headers(stream, [tuple(each) for each in push["headers"]])
        connection.send_data(stream, push["body"].encode(), end_stream=True)
        open_streams.add(stream)


def log_has(name):
    return any(each["event"] == name for each in log)


ended = False
while (waiting or open_streams) and not ended:
    data = wire.recv(65536)
    if not data:
        break
    for event in connection.receive_data(data):
        if isinstance(event, h2.events.RemoteSettingsChanged):
            settings = {int(key): each.new_value for key, each in event.changed_settings.items()}
            log.append({"event": "settings", "settings": settings})
        elif isinstance(event, h2.events.ResponseReceived):
            log.append({"event": "headers", "stream": event.stream_id, "headers": dict(event.headers),
                        "ends": event.stream_ended is not None})
        elif isinstance(event, h2.events.DataReceived):
            log.append({"event": "data", "stream": event.stream_id, "data": event.data.decode(),
                        "ends": event.stream_ended is not None})
        elif isinstance(event, h2.events.StreamReset):
            log.append({"event": "reset", "stream": event.stream_id, "code": int(event.error_code)})
            open_streams.discard(event.stream_id)
        elif isinstance(event, h2.events.ConnectionTerminated):
            log.append({"event": "goaway", "last": event.last_stream_id, "code": int(event.error_code),
                        "data": (event.additional_data or b"").decode()})
            ended = True
        if isinstance(event, h2.events.StreamEnded):
            open_streams.discard(event.stream_id)
    if not ended:
        fill()
        wire.sendall(connection.data_to_send())
print(json.dumps(log))
