/** The path of a Chromium that starts, or null. */
export function findChromium(): string | null
