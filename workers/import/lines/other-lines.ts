/** Thrown where lines turn out not to be for this way: the general one decides about them, or tells what is wrong. */
export class OtherLines extends Error {}
