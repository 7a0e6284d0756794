# Everything is one command; `make help` lists them. Set-up runs by itself, once.
SHELL := /bin/bash
.DEFAULT_GOAL := help

BINARY := .build/release/geopush
REQUIREMENTS := $(wildcard Tests/InteropTests/requirements.txt)
SHELL_SCRIPTS := .ci/setup .ci/run
# Test targets whose name ends so need a real Kafka.
BROKER_TESTS := BrokerTests
# How many brokers the Kafka has that is started for them.
BROKERS ?= 1
BENCH ?= sender
# How long each parser is fuzzed, and which; how long things go wrong on purpose, and in which order.
SECONDS ?= 60
SEED ?= 1
SEEDS = $(shell seq $(firstword $(subst .., ,$(SEED))) $(lastword $(subst .., ,$(SEED))))
CHAOS = GEOPUSH_TEST_BROKERS=3 .build/release/Chaos
FUZZ ?= $(notdir $(wildcard Tests/Fuzz/corpus/*))
FUZZ_COVERAGE := edge,inline-8bit-counters,pc-table,trace-cmp

.PHONY: help setup build demo test test-kafka lint format bench sanitize sanitize-thread sanitize-address fuzz schemas chaos chaos-broken clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
	    printf '  make %-18s %s\n' "$$name" "$$text"; done

setup: .build/setup-test.stamp ## install what building and testing need (Debian packages, Python packages)

.build/setup-build.stamp: .ci/setup
	@.ci/setup build
	@mkdir -p .build && touch $@

.build/setup-test.stamp: .ci/setup $(REQUIREMENTS)
	@mkdir -p .build
	@.ci/setup test
	@touch $@ .build/setup-build.stamp

build: .build/setup-build.stamp ## build the release binary, .build/release/geopush
	swift build -c release --product geopush --static-swift-stdlib

demo: build ## show everything in one process tree: a Kafka, an APNs, events, pushes, receipts
	$(BINARY) demo

test: .build/setup-test.stamp ## run every test that needs no broker
	@echo 'Tests that need a real Kafka are skipped here; KAFKA_HOME=DIR make test-kafka runs them.'
	swift test --disable-xctest --skip $(BROKER_TESTS)

test-kafka: .build/setup-test.stamp ## run the tests that need a broker (KAFKA_HOME, BROKERS=3; or GEOPUSH_TEST_BOOTSTRAP)
	@if [ -z "$$KAFKA_HOME$$GEOPUSH_TEST_BOOTSTRAP" ]; then \
	    echo 'test-kafka: set KAFKA_HOME to an unpacked Apache Kafka, or GEOPUSH_TEST_BOOTSTRAP to the address of a broker.' >&2; \
	    exit 1; fi
	GEOPUSH_TEST_BROKERS=$(BROKERS) swift test --disable-xctest --filter $(BROKER_TESTS)

lint: ## check layout and shell syntax
	@for script in $(SHELL_SCRIPTS); do bash -n "$$script" || exit 1; done
	swift format lint --strict -r Sources Tests Package.swift

format: ## lay out the sources
	swift format -i -r Sources Tests Package.swift

bench: build ## measure; BENCH names which one
	$(BINARY) bench $(BENCH) --json

sanitize: sanitize-thread sanitize-address ## run the tests under ThreadSanitizer and AddressSanitizer

# The shim shows ThreadSanitizer the C11 threads of librdkafka and the slow path of Swift's Mutex. Swift's backtraces
# start a process from inside a crash, where ThreadSanitizer fails in its turn and hides the reason.
sanitize-thread: .build/setup-test.stamp .build/thread-shim.so
	swift build --build-tests --sanitize=thread --scratch-path .build/thread
	SWIFT_BACKTRACE=enable=no LD_PRELOAD=$(CURDIR)/.build/thread-shim.so \
	    swift test --disable-xctest --sanitize=thread --skip-build --scratch-path .build/thread --skip $(BROKER_TESTS)

# Swift's own clang, because only it knows Swift's calling convention.
.build/thread-shim.so: Tests/Support/c11-threads-shim.c Tests/Support/swift-mutex-shim.c
	@mkdir -p .build
	"$$(dirname "$$(realpath "$$(command -v swift)")")/clang" -std=gnu11 -O1 -g -Wall -Wextra -Werror -shared -fPIC \
	    -o $@ $^ -lpthread -ldl

sanitize-address: .build/setup-test.stamp
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Support/leak-suppressions.txt \
	    swift test --disable-xctest --sanitize=address --scratch-path .build/address --skip $(BROKER_TESTS)

# With the toolchain's lld: gold, which is Swift's default on Linux, fails on what the sanitizers add.
fuzz: .build/setup-build.stamp ## look for inputs that break a parser (SECONDS=60 for each; FUZZ="event key")
	GEOPUSH_FUZZ=1 swift build --scratch-path .build/fuzz --product fuzz -Xswiftc -O -Xswiftc -use-ld=lld \
	    -Xswiftc -sanitize=fuzzer,address -Xswiftc -sanitize-coverage=$(FUZZ_COVERAGE) \
	    -Xcc -fsanitize=fuzzer-no-link,address -Xcxx -fsanitize=fuzzer-no-link,address
	@for target in $(FUZZ); do \
	    echo "fuzz $$target for $(SECONDS) s"; mkdir -p .build/fuzz/corpus/$$target; \
	    SWIFT_BACKTRACE=enable=no nice .build/fuzz/debug/fuzz $$target .build/fuzz/corpus/$$target \
	        Tests/Fuzz/corpus/$$target -artifact_prefix=Tests/Fuzz/corpus/$$target/ -max_total_time=$(SECONDS) \
	        -max_len=4096 -detect_leaks=0 -verbosity=0 -print_funcs=0 -print_final_stats=1 || exit 1; done

chaos: .build/release/Chaos build ## break workers, brokers and APNs on purpose (KAFKA_HOME; SECONDS=60; SEED=1 or SEED=1..5)
	@for seed in $(SEEDS); do GEOPUSH_TEST_BINARY=$(BINARY) $(CHAOS) $(SECONDS) $$seed || exit 1; done

# Exit code 1 is a promise that was not kept; others are runs that could not be finished.
chaos-broken: .build/release/Chaos ## let a build that commits before its receipts be caught
	swift build -c release --scratch-path .build/broken --product geopush -Xswiftc -DGEOPUSH_COMMIT_BEFORE_RECEIPT
	GEOPUSH_TEST_BINARY=.build/broken/release/geopush $(CHAOS) $(SECONDS) $(firstword $(SEEDS)); test $$? -eq 1

.PHONY: .build/release/Chaos
.build/release/Chaos: .build/setup-build.stamp
	@if [ -z "$$KAFKA_HOME" ]; then echo 'chaos: set KAFKA_HOME to an unpacked Apache Kafka.' >&2; exit 1; fi
	swift build -c release --product Chaos --static-swift-stdlib

schemas: ## write Config/schemas anew, from what the checks of events read
	GEOPUSH_WRITE_SCHEMAS=1 swift test --disable-xctest --filter EventsTests.SchemaTests

clean: ## remove what was built
	rm -rf .build
