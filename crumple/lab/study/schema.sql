-- Results of studies; docs/studies.md explains the tables.
CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,          -- the study file as it was when it last ran
  path TEXT NOT NULL,
  started TEXT NOT NULL        -- ISO 8601, UTC
);
CREATE TABLE provenance (
  id INTEGER PRIMARY KEY,
  content TEXT NOT NULL UNIQUE -- JSON: host, processor, memory, kernel, MPI, hashes of binary and inputs, environment
);
CREATE TABLE case_ (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,    -- stays the same as long as the same would be run
  ranks INTEGER NOT NULL, threads INTEGER NOT NULL, jobs INTEGER NOT NULL, mpi TEXT NOT NULL,
  ranks_per_node INTEGER NOT NULL, binding TEXT NOT NULL, device TEXT NOT NULL,
  decomposition TEXT NOT NULL, precision TEXT NOT NULL, version TEXT NOT NULL, directory TEXT NOT NULL,
  file_system TEXT NOT NULL DEFAULT ''
);
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  study INTEGER NOT NULL REFERENCES study(id),
  case_ INTEGER NOT NULL REFERENCES case_(id),
  repeat INTEGER NOT NULL,
  state TEXT NOT NULL,         -- done, failed, timeout; of Slurm also cancelled, node_fail, out_of_memory, preempted
  started TEXT NOT NULL,
  elapsed REAL NOT NULL,       -- s, from the start of the first job to the end of the last
  cpu REAL NOT NULL,           -- s, all processes
  load REAL NOT NULL,          -- load average of the machine when it started
  status INTEGER,              -- worst exit status of its jobs
  command TEXT NOT NULL,       -- as it was run
  log TEXT NOT NULL,           -- where it failed: why, and the end of what was printed; else which figures it lacks
  provenance INTEGER REFERENCES provenance(id)
);
CREATE TABLE figure (
  run INTEGER NOT NULL REFERENCES run(id),
  job INTEGER NOT NULL,        -- from 0
  name TEXT NOT NULL,          -- with its unit: "zone cycle [ns]"
  value REAL NOT NULL,
  label TEXT NOT NULL DEFAULT ''  -- "measured" or "modelled", for energy and cost
);
CREATE TABLE text (
  run INTEGER NOT NULL REFERENCES run(id),
  job INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL
);
CREATE TABLE phase (
  run INTEGER NOT NULL REFERENCES run(id),
  job INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  name TEXT NOT NULL,
  seconds REAL NOT NULL
);
CREATE TABLE profile (
  run INTEGER NOT NULL REFERENCES run(id),
  job INTEGER NOT NULL,
  content TEXT NOT NULL        -- the JSON of `crumple profile`
);
CREATE INDEX run_of_case ON run(case_);
CREATE INDEX figure_of_run ON figure(run);
