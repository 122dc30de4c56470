/** Canonical bytes that are worth a thread's start. */
export const CHECKED_BYTES_EACH = 32 << 20
/** Text, likewise. */
export const PARSED_BYTES_EACH = 4 << 20
