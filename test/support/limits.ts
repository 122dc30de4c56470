/** Ends a test that never would. No result depends on a machine's speed: a test takes a quarter of it at most, and `npm test` names any other. */
export const LIMIT_MS = 600_000

/** Until then a condition that is waited for may come; a machine with other work takes half a minute for what takes a second. */
export const PATIENCE_MS = 180_000
