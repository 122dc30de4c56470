/** Where the keyboard is in a chart: which lane, and which of the things that lie in it. */
export interface WalkPlace {
  readonly lane: number
  readonly at: number
}

/** The part of the axis across that is in sight. */
export interface Sight {
  readonly from: number
  readonly to: number
}

export interface WalkStep {
  /** null: nowhere yet. */
  readonly place: WalkPlace | null
  readonly sight: Sight
}

/** The series of a chart that marks where the keyboard is; without anything in it until then. */
export const WALK_MARK = 'walk'

/** How a chart is gone through by the keyboard. */
export interface ChartWalk {
  /** Which keys there are, in a sentence. */
  readonly help: string
  /** Where a key (`KeyboardEvent.key`) leads; undefined: it leads nowhere here. */
  step(key: string, from: WalkStep): WalkStep | undefined
  /** What is at a place, in words. */
  words(place: WalkPlace): string
  /** What the series of the mark holds. */
  mark(place: WalkPlace): readonly number[]
}
