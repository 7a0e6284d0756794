// The same work in plain C, to hold the Swift path against (see `geopush bench`).
#ifndef CBASELINE_H
#define CBASELINE_H
#include "IntakeBaseline.h"
#include "SenderBaseline.h"
#endif
