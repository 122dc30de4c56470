/** What a thread knows of its open vertices, by place: these ascend. */
export class OpenPlaces {
  readonly vertices: Uint32Array
  /** The last round in which an entry was matched that the vertex has gone past. */
  readonly stamps: Uint32Array
  /** The first level of its list that it has not read. */
  readonly levels: Uint8Array
  /** Its entries in the pool. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array

  constructor(count: number) {
    this.vertices = new Uint32Array(count)
    this.stamps = new Uint32Array(count)
    this.levels = new Uint8Array(count)
    this.starts = new Uint32Array(count)
    this.ends = new Uint32Array(count)
  }

  get arrays(): readonly (Uint32Array | Uint8Array)[] {
    return [this.vertices, this.stamps, this.levels, this.starts, this.ends]
  }

  move(from: number, to: number): void {
    this.vertices[to] = this.vertices[from]!
    this.stamps[to] = this.stamps[from]!
    this.levels[to] = this.levels[from]!
    this.starts[to] = this.starts[from]!
    this.ends[to] = this.ends[from]!
  }
}
