.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export VIRTUAL_ENV := $(CURDIR)/.venv
# Executors and the driver run the same interpreter.
export PYSPARK_PYTHON := $(CURDIR)/$(BIN)/python
# How many soak rounds, fuzz inputs and random cuts a test takes: ci or full.
export DEPTH ?= ci

RUST := Cargo.toml Cargo.lock $(shell find rust -name '*.rs' -o -name Cargo.toml | grep -v target)
PEERS := $(shell find tests/peers -name pom.xml -o -path '*/src/*' -type f | grep -v /target/)
ENVIRONMENT := .venv/.synced
BUILT := .venv/.built
ECHO_BUILT := build/echo
PEERS_BUILT := $(patsubst %/pom.xml,%/target/built,$(wildcard tests/peers/*/pom.xml))
TWINS := tests/reference/cython/build.py $(wildcard tests/reference/cython/*.pyx)
TWINS_BUILT := build/cython/built
SNAKEBITE_BUILT := build/snakebite/.built
HOT_PATHS := build/hot.profdata
TRAINED := .venv/.trained
# Zig links against the oldest libraries of a tag, whatever this machine has. maturin looks for it on the PATH.
WHEEL_BUILDER := build/wheels/bin/maturin
WHEEL_LINUX = $(if $(findstring linux,$(TARGET)),--zig --compatibility \
  $(if $(findstring musl,$(TARGET)),musllinux_1_2,manylinux2014))
TARGET ?= $(HOST)
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
maturin_for_hot_paths = RUSTFLAGS=-Cprofile-use=$(abspath $(HOT_PATHS)) maturin $1 --release --target $(HOST)
# The compiler of Miri and AddressSanitizer: the one place that says which.
NIGHTLY := nightly-2026-05-20
OLDEST_RUST := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
MIRI_ALL := kernels:: frame:: text:: varint:: level::
# Those of them that CI has time for: each kernel up to AVX2, its portable path, and who calls them.
MIRI_QUICK := each_level_has_the_features one_bit_is_one_byte kernel_that_appends_invalid_utf8_panics \
  kernel_that_counts_more_than_there_is_room_for_is_stopped all_forms_of_up_to_three_bytes_validate_as_in_std \
  ascii_is_the_text utf8_validates_as_in_std frame_scan_agrees_with_the_decoder \
  compact_copy_is_all_payloads_end_to_end view_is_its_payload_in_whatever_region frame_batches_equal_single_frames \
  batches_of_lines_and_messages_equal_single_ones frames_of_any_length lines_are_javas messages_are_lines_up_to_end \
  column_is_the_same_however_it_is_cut_and_at_every_level utf8_form_validity_is_the_same_at_every_place_and_level \
  lone_surrogate_is_kept_on_request_and_refused_by_default every_level_decodes_as_the_loop_over_units \
  many_strings_are_as parts_are_text_where short_text_has_the_characters strings_behind_their_length \
  lossless_decoding_round_trips bulk_is_incremental decode_undoes_encode decode_vlong_undoes \
  edges_are_where_java_has_them
# What reaches memory through the ffi layer.
ASAN_TESTS := $(addprefix tests/components/test_,ffi_memory.py ffi_arguments.py codec_values.py pravega_events.py)
NEEDED := $(BUILT) $(ECHO_BUILT) $(TWINS_BUILT) $(PEERS_BUILT)

OLDER_SPARKS := 4.1 4.2

# Tests mostly wait for servers: two processes run them, folder by folder, as servers are shared in a folder.
SIDE_BY_SIDE := -n 2 --dist loadgroup --no-loadscope-reorder

# What pytest ends with where no test has a name with B in it: a crate's benchmark may have.
NO_TESTS := 5

help: ## What can be made
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(BUILT) ## A report on recorded NameNode traffic, in local Spark; LIVE=1 records it afresh
ifdef LIVE
	@$(MAKE) $(PEERS_BUILT)
	python -m tests.kit.record build/live namenode
	@jvmwire report build/live -o build/demo --engine spark
	@echo "The same without Spark: jvmwire report build/live -o build/demo"
else
	@jvmwire demo -o build/demo --engine spark
	@echo "The same without Spark: jvmwire demo -o build/demo"
endif

build: $(NEEDED) ## What tests and checks need

test: $(NEEDED) ## All tests, real servers included; T=hadoop runs one part
ifndef T
	cargo test --workspace --quiet
endif
	pytest $(SIDE_BY_SIDE) $(if $(T),-k '$(T)')

bench: $(NEEDED) $(SNAKEBITE_BUILT) $(TRAINED) ## All benchmarks; B=varint runs one part, SEED=1 repeats its inputs
	@mkdir -p build/bench
	pytest benches $(if $(B),-k '$(B)') --timeout=3600 --benchmark-columns=median,iqr,rounds \
	  -W ignore::pytest_benchmark.logger.PytestBenchmarkWarning \
	  --benchmark-json=build/bench/$$(date +%s).json || [ $$? = $(NO_TESTS) ]
	cargo bench --package jvmwire-codec $(if $(B),-- '$(B)')
	@PYTHONPATH=tests python -m benches.markdown_report

check: $(BUILT) ## Format, lint, types, what is locked
	cargo fmt --all --check
	cargo fmt --manifest-path rust/fuzz/Cargo.toml --check
	cargo metadata --manifest-path rust/fuzz/Cargo.toml --locked --format-version 1 >/dev/null
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet
	ruff format --check .
	ruff check .
	mypy
	MYPYPATH=tests:python mypy --explicit-package-bases tests benches
	mypy --explicit-package-bases docs
	python -m mypy.stubtest jvmwire._core

docs: $(BUILT) ## The documentation site, build/site/index.html; warnings are errors
	sphinx-build -q -W --keep-going -b html docs build/site

fuzz: | tools ## Look for inputs that break a law, for SECONDS_EACH (600) a target
	rust/fuzz/run $(or $(SECONDS_EACH),600)

serve: $(BUILT) $(PEERS_BUILT) ## A real server of the tests, until Ctrl-C: S=hdfs, hazelcast, pravega, storm or hama
	@PYTHONPATH=tests python -m kit.serve '$(S)'

bombs: $(BUILT) ## Hostile captures against honest ones, in CPU time and memory; B=pings runs one, SCALE=0.1 smaller ones
	PYTHONPATH=tests python -m benches.bombs --scale $(or $(SCALE),1) --only '$(B)'

toolchains: ## The compilers of make miri, make asan and make msrv, by rustup
	rustup toolchain install $(NIGHTLY) --profile minimal --component miri --component rust-src
	rustup toolchain install $(OLDEST_RUST) --profile minimal

miri: ## Tests of kernels up to AVX2 in an interpreter that sees undefined behaviour; QUICK=1 runs what CI does
	PROPTEST_CASES=$(if $(QUICK),2,4) rust/miri $(NIGHTLY) $(if $(QUICK),$(MIRI_QUICK),$(MIRI_ALL))

asan: $(ENVIRONMENT) ## Tests of the ffi layer with AddressSanitizer, which must see a use after free, too
	rust/asan $(NIGHTLY) $(ASAN_TESTS)

msrv: ## Whether the oldest Rust that Cargo.toml names compiles all crates
	@cargo +$(OLDEST_RUST) --version >/dev/null 2>&1 || { \
	  echo 'missing: Rust $(OLDEST_RUST) - install it by make toolchains' >&2; exit 1; }
	CARGO_TARGET_DIR=target/msrv cargo +$(OLDEST_RUST) check --workspace --all-targets --locked --quiet

portable: $(ENVIRONMENT) ## Whether the core obeys the same laws without what leans on CPython's GIL
	@rm -rf build/portable
	maturin build --release --quiet --no-default-features --out build/portable
	python -m zipfile -e build/portable/*.whl build/portable/site
	PYTHONPATH=$(CURDIR)/build/portable/site pytest -q tests/properties/test_codec_laws.py \
	  tests/components/test_codec_values.py tests/components/test_ffi_memory.py

sparks: $(BUILT) ## Tests of filters and schemas on each older Spark that pyproject.toml allows
	@rm -rf build/sparks
	maturin build --release --quiet --out build/sparks
	@for version in $(OLDER_SPARKS); do \
	  uv venv --quiet --python $(BIN)/python build/sparks/$$version && \
	  export VIRTUAL_ENV=$(CURDIR)/build/sparks/$$version && \
	  uv pip install --quiet "pyspark==$$version.*" "$$(echo build/sparks/*.whl)[all]" \
	    pytest pytest-timeout trustme uvloop && \
	  PYSPARK_PYTHON=$$VIRTUAL_ENV/bin/python PATH="$$VIRTUAL_ENV/bin:$$PATH" \
	    python -m pytest -q tests/spark/test_spark_filters.py tests/spark/test_captures.py \
	    -k 'condition or schema or types' -W ignore::pytest.PytestUnraisableExceptionWarning \
	    -W ignore::ResourceWarning || exit 1; done # of pyspark 4.1's own sockets

deny: $(ENVIRONMENT) ## Licences and sources of all crates, by deny.toml
	cargo deny --workspace --locked check licenses bans sources

notices: ## The notices and the bill of materials of what is linked into the wheel, anew from Cargo.lock
	cd tests && python -m kit.notices

tables: $(PEERS_BUILT) ## The tables of messages: Hadoop's and Pravega's from their jars, Hazelcast's from messages.json
	java -cp 'tests/peers/hadoop/target/classes:tests/peers/hadoop/target/lib/*' \
	  jvmwire.peers.hadoop.ProtoTables | rustfmt --edition 2024 --config-path . >rust/codec/src/hadoop/generated/messages.rs.new
	mv rust/codec/src/hadoop/generated/messages.rs.new rust/codec/src/hadoop/generated/messages.rs
	cd tests && python -m kit.pravega_messages ../python/jvmwire/pravega/streams
	cd tests/kit && python -m grpc_tools.protoc -I. --python_out=. --pyi_out=. user_mappings.proto
	cd tests && python -m kit.hazelcast_tables | rustfmt --edition 2024 --config-path .. \
	  >../rust/codec/src/hazelcast/generated/messages.rs

wheel: | wheeltools $(if $(PGO),$(HOT_PATHS)) $(WHEEL_BUILDER) ## The wheel in dist/, the sdist in dist/sdist; PGO=1 tunes it for its hot paths, TARGET=aarch64-unknown-linux-gnu is for another system
	@echo '$(if $(PGO),tuned wheel: about 15 minutes on two cores,wheel: about 4 minutes on two cores)'
	PATH="$(dir $(abspath $(WHEEL_BUILDER))):$$PATH" $(if $(PGO),RUSTFLAGS=-Cprofile-use=$(abspath $(HOT_PATHS))) $(WHEEL_BUILDER) build --release --quiet --target $(TARGET) \
	  $(WHEEL_LINUX) --out dist
	$(WHEEL_BUILDER) sdist --out dist/sdist

test-aarch64: $(BUILT) ## The codec's tests and the wheel as an AArch64 processor runs them, under qemu-user; needs Debian
	@command -v qemu-aarch64 apt-get dpkg >/dev/null || { \
	  echo 'missing: qemu-aarch64, apt-get, dpkg - install qemu-user on a Debian' >&2; exit 1; }
	@$(MAKE) wheel TARGET=aarch64-unknown-linux-gnu
	rust/aarch64

clean: ## Forget what was built
	rm -rf .venv target build dist tests/peers/*/target
	rm -f python/jvmwire/_core.*.so tests/reference/cython/*.so

lock: | tools ## Choose newer versions of what is locked
	uv pip compile --quiet --upgrade pyproject.toml --all-extras --group dev --generate-hashes \
	  --no-annotate --custom-compile-command 'make lock' -o requirements.lock
	cargo update
	@$(MAKE) notices

$(ENVIRONMENT): requirements.lock | tools
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	@uv pip sync --quiet requirements.lock
	@touch $@

$(BUILT): $(ENVIRONMENT) $(RUST) pyproject.toml
	maturin develop --release --uv --quiet
	@touch $@

$(HOT_PATHS): rust/train benches/pgo_workload.py $(BUILT) $(ECHO_BUILT) $(TWINS_BUILT)
	rust/train $@

$(TRAINED): $(HOT_PATHS)
	$(call maturin_for_hot_paths,develop) --uv --quiet
	@touch $@

$(TWINS_BUILT): $(ENVIRONMENT) $(TWINS)
	PYTHONPATH=tests python -m reference.cython.build
	@touch $@

$(SNAKEBITE_BUILT): benches/snakebite.txt | tools
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(PEERS_BUILT) &: $(PEERS) | tools
	mvn -q -B -f tests/peers/pom.xml package
	@touch $(PEERS_BUILT)

$(ECHO_BUILT): benches/echo/echo.c | tools
	@mkdir -p build
	cc -O2 -std=gnu17 -Wall -Wextra -Werror -o $@ $<

$(WHEEL_BUILDER):
	@$(PYTHON) -m venv build/wheels
	@build/wheels/bin/python -m pip install --quiet --disable-pip-version-check 'maturin[zig]>=1.16,<2'

tools:
	@PYTHON='$(PYTHON)' tests/kit/tools

wheeltools:
	@PYTHON='$(PYTHON)' RUST='$(OLDEST_RUST)' TARGET='$(TARGET)' PGO='$(PGO)' tests/kit/tools wheel

.PHONY: help docs demo build test bench check fuzz serve bombs toolchains miri asan msrv portable sparks deny notices tables wheel test-aarch64 clean lock tools wheeltools
