/** The time of a frame that follows the hand, ms: of thirty a second. */
const SLOW_MS = 33
/** So many frames decide together, so that no single late one does. */
const JUDGED = 5
/** Longer than between two frames of a movement. */
export const STILL_MS = 120
/** Edges that are drawn in a hurry. */
const FEW_EDGES = 2000

/**
 * The movement of a drawing. Frames follow the hand where they take little; where they take long, as without a GPU, those of the movement
 * have few edges, then neither edges nor names, and all of it is drawn once the movement rests. What is under the pointer is not looked for
 * on the way, as that draws everything a second time.
 */
export class Movement {
  /** What frames of a movement leave out: 0 nothing, 1 most edges, 2 all edges and names. */
  #hurry = 0
  #isMoving = false
  #lastMs = -Infinity
  #frames: number[] = []
  #stillness: ReturnType<typeof setTimeout> | undefined
  /** The frame that is judged next; a movement that ended has none, as another may begin before it. */
  #judging = 0
  readonly #changed: () => void

  /** @param changed called when a movement begins, hurries or rests */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  get isMoving(): boolean {
    return this.#isMoving
  }

  get hasNames(): boolean {
    return !this.#isMoving || this.#hurry < 2
  }

  get mostEdges(): number {
    return this.#isMoving ? ([Infinity, FEW_EDGES, 0][this.#hurry] ?? 0) : Infinity
  }

  /** The camera has moved. One step alone, as by a button, is no movement. */
  step(): void {
    const nowMs = performance.now()
    if (!this.#isMoving && nowMs - this.#lastMs < STILL_MS) {
      this.#isMoving = true
      this.#changed()
      this.#judging = requestAnimationFrame((ms) => this.#judge(ms))
    }
    this.#lastMs = nowMs
    clearTimeout(this.#stillness)
    this.#stillness = setTimeout(() => this.end(), STILL_MS)
  }

  end(): void {
    clearTimeout(this.#stillness)
    cancelAnimationFrame(this.#judging)
    this.#lastMs = -Infinity
    this.#frames = []
    if (!this.#isMoving) return
    this.#isMoving = false
    this.#changed()
  }

  /** Something else is drawn, which may take less. */
  forget(): void {
    this.#hurry = 0
  }

  #judge(beforeMs: number): void {
    this.#judging = requestAnimationFrame((ms) => {
      this.#frames.push(ms - beforeMs)
      if (this.#frames.length === JUDGED) {
        const isSlow = this.#frames.toSorted((a, b) => a - b)[JUDGED >> 1]! > SLOW_MS
        this.#frames = []
        if (isSlow && this.#hurry < 2) {
          this.#hurry++
          this.#changed()
        }
      }
      this.#judge(ms)
    })
  }
}
