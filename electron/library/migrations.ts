/** `version` is then in `user_version`. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

/**
 * Forward only, never edited once released. What is searched or compared has a column of its own; the rest is JSON.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE datasets (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        name        TEXT    NOT NULL UNIQUE,
        folder      TEXT    NOT NULL UNIQUE,
        vertices    INTEGER NOT NULL CHECK (vertices >= 0),
        arcs        INTEGER NOT NULL CHECK (arcs >= 0),
        max_degree  INTEGER NOT NULL,
        mean_degree REAL    NOT NULL,
        weighted    INTEGER NOT NULL CHECK (weighted IN (0, 1)),
        bytes       INTEGER NOT NULL,
        checksum    TEXT    NOT NULL,
        source      TEXT    NOT NULL,
        report      TEXT    NOT NULL CHECK (json_valid(report)),
        created_at  TEXT    NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 2,
    sql: `
      CREATE TABLE runs (
        id          TEXT    PRIMARY KEY,
        dataset_id  INTEGER REFERENCES datasets (id) ON DELETE SET NULL,
        name        TEXT,
        state       TEXT    NOT NULL CHECK (state IN
          ('queued', 'planning', 'running', 'verifying', 'done', 'failed', 'cancelled', 'interrupted')),
        algorithm   TEXT    NOT NULL,
        request     TEXT    NOT NULL CHECK (json_valid(request)),
        record      TEXT    CHECK (record IS NULL OR json_valid(record)),
        failure     TEXT    CHECK (failure IS NULL OR json_valid(failure)),
        size        INTEGER,
        hash        TEXT,
        owner_pid   INTEGER NOT NULL,
        owner_start TEXT,
        created_at  TEXT    NOT NULL,
        started_at  TEXT,
        finished_at TEXT
      ) STRICT;
      CREATE INDEX runs_by_dataset ON runs (dataset_id);
      CREATE INDEX runs_by_state ON runs (state);
    `,
  },
  {
    version: 3,
    // `turn` numbers runs as they came: the clock may be set back, rowids may change.
    sql: `
      ALTER TABLE runs ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN queue_priority INTEGER NOT NULL DEFAULT 5 CHECK (queue_priority BETWEEN 0 AND 9);
      ALTER TABLE runs ADD COLUMN retries INTEGER NOT NULL DEFAULT 0 CHECK (retries >= 0);
      ALTER TABLE runs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE runs ADD COLUMN devices TEXT;
      UPDATE runs SET turn = (SELECT count(*) FROM runs AS earlier
        WHERE (earlier.created_at, earlier.rowid) <= (runs.created_at, runs.rowid));
      CREATE UNIQUE INDEX runs_by_turn ON runs (turn);
    `,
  },
  {
    version: 4,
    sql: `
      ALTER TABLE datasets ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
      CREATE TABLE settings (
        name  TEXT PRIMARY KEY,
        value TEXT NOT NULL CHECK (json_valid(value))
      ) STRICT;
    `,
  },
  {
    version: 5,
    sql: `
      CREATE TABLE claims (
        what        TEXT    PRIMARY KEY,
        owner_pid   INTEGER NOT NULL,
        owner_start TEXT
      ) STRICT;
    `,
  },
  {
    version: 6,
    sql: `
      ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT '';
      ALTER TABLE runs ADD COLUMN starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1));
    `,
  },
]
