/** One step of the library's format: number `version` is what `user_version` holds afterwards. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

/**
 * Forward only, and never edited once released: a library of any earlier version is brought up to date by the steps that
 * it lacks. JSON columns hold what is only shown or repeated; what is searched or compared has a column of its own.
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
]
