import { VERTICES_PER_WORD } from '../../../graph/vertex-states.ts'

/**
 * Ranges of vertices, one for each worker (MG-MIS, section 3.1): with n = share * workers + extra the first `extra` workers own share + 1. Every
 * vertex has one owner; the authors' program leaves the remainder of n / workers without.
 */
export class EqualRanges {
  readonly vertices: number
  readonly workers: number
  readonly share: number
  readonly extra: number

  constructor(vertices: number, workers: number) {
    this.vertices = vertices
    this.workers = workers
    this.share = Math.floor(vertices / workers)
    this.extra = vertices % workers
  }

  /** First vertex of a worker; that of worker `workers` is n. */
  first(worker: number): number {
    return worker * this.share + Math.min(worker, this.extra)
  }

  /** That of worker w and of the next are the ends of its range. */
  get bounds(): number[] {
    return Array.from({ length: this.workers + 1 }, (_, worker) => this.first(worker))
  }

  of(worker: number): OwnRange {
    const low = this.first(worker)
    const high = this.first(worker + 1)
    const origin = low - (low % VERTICES_PER_WORD)
    return { low, high, origin, places: high - origin }
  }
}

/** The vertices [low, high) of a worker; v has place v - origin, so that words of states hold the same vertices everywhere. */
export interface OwnRange {
  readonly low: number
  readonly high: number
  /** low rounded down to a whole word of states. */
  readonly origin: number
  /** high - origin; the first low - origin places stay unused. */
  readonly places: number
}
