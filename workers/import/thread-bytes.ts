/** Bytes of a canonical file for which a thread more is worth its start. */
export const CHECKED_BYTES_EACH = 32 << 20
/** Likewise of text. */
export const PARSED_BYTES_EACH = 4 << 20
