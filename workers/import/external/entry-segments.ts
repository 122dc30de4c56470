/** Labels that one thread met within one epoch, ascending, each once; and where each stands in the codes of that epoch. */
export interface LabelRun {
  readonly path: string
  /** Byte position of the labels: u64 each, or u32 length and bytes of each text. */
  readonly at: number
  readonly count: number
  /** Byte position of u32 [count]: the code of the label at each place of the order. */
  readonly permutationAt: number
}

/** Entries of one thread and one epoch: records of u32 from, u32 to and, where weighted, f32 weight. */
export interface EntrySegment {
  readonly path: string
  readonly at: number
  readonly entries: number
  /** null where the codes are ids already, or all of the labels stand in the bitmap. */
  readonly run: LabelRun | null
}

/** A run whose labels got their ranks: u32 [count] at byte `ranksAt` of the file of ranks, in the order of the labels. */
export interface RankedRun extends LabelRun {
  readonly ranksAt: number
}

/** A range of vertices or arcs. */
export interface Range {
  readonly first: number
  readonly last: number
}
