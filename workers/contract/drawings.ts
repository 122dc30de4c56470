/** Vertices that a drawing of a whole graph shows at once in place of its groups. */
export const MOST_OPENED = 2500
