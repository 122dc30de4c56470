import type { Failure } from '../failure.ts'
import type { ViewSection } from './section-file.ts'
import { damagedFile } from './section-file.ts'
import { combineCrc32 } from './views/crc32-combine.ts'

/** A stretch of a section that was read, with the CRC-32 of its bytes. */
export interface SectionSum<Name extends string = string> {
  readonly section: Name
  /** Bytes from the start of the section. */
  readonly at: number
  readonly bytes: number
  readonly crc32: number
}

interface Progress {
  readonly section: ViewSection
  /** Bytes from the section's start that were seen without a gap, and their CRC-32. */
  end: number
  crc32: number
  /** Stretches behind a gap, by where they start. */
  readonly ahead: Map<number, SectionSum>
}

/**
 * Adds up the checksums of sections whose stretches are read in any order, by several threads, some of them more than once:
 * as soon as a section was seen whole, its CRC-32 is compared with that of the file's header.
 */
export class SectionSums<Name extends string> {
  readonly #path: string
  readonly #sections: Readonly<Record<Name, Progress>>

  constructor(path: string, sections: Readonly<Record<Name, ViewSection>>) {
    this.#path = path
    const entries = Object.entries<ViewSection>(sections)
    this.#sections = Object.fromEntries(
      entries.map(([name, section]) => [name, { section, end: 0, crc32: 0, ahead: new Map() }]),
    ) as Record<Name, Progress>
  }

  /** @throws Failure (input) when this makes a section whole and its checksum is not that of the header */
  add(sum: SectionSum<Name>): void {
    const progress = this.#sections[sum.section]
    if (sum.at < progress.end || sum.bytes === 0) return
    if (!progress.ahead.has(sum.at)) progress.ahead.set(sum.at, sum)
    for (let next = progress.ahead.get(progress.end); next !== undefined; next = progress.ahead.get(progress.end)) {
      progress.ahead.delete(progress.end)
      progress.crc32 = combineCrc32(progress.crc32, next.crc32, next.bytes)
      progress.end += next.bytes
      if (progress.end === progress.section.bytes && progress.crc32 !== progress.section.crc32) throw this.#damaged()
    }
  }

  /** What was seen, for whoever adds up the sums of several readers. */
  get parts(): SectionSum<Name>[] {
    return Object.entries<Progress>(this.#sections).flatMap(([name, { end, crc32, ahead }]) => {
      const whole = { section: name as Name, at: 0, bytes: end, crc32 }
      return [...(end > 0 ? [whole] : []), ...(ahead.values() as Iterable<SectionSum<Name>>)]
    })
  }

  #damaged(): Failure {
    return damagedFile(this.#path)
  }
}
