import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ImportArgs } from '../../workers/contract/jobs.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures')
const SIDE_CAR = '.golden.json'

/** What the publisher of a fixture, or whoever assembled it, says that it holds. */
export interface Golden {
  readonly format: string
  readonly vertices: number
  readonly arcs: number
  /** "a b" or "a b weight", each edge once, the smaller label first. */
  readonly edges: readonly string[]
  /** The source of the example. */
  readonly source: string
  readonly options?: Partial<ImportArgs>
  readonly [count: string]: unknown
}

export interface Fixture {
  readonly name: string
  readonly path: string
  readonly golden: Golden
}

/** Every file of test/fixtures that has a golden side-car beside it. */
export const fixtures: readonly Fixture[] = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: folder }) =>
    readdirSync(join(FIXTURES, folder))
      .filter((file) => file.endsWith(SIDE_CAR))
      .map((file) => {
        const name = `${folder}/${file.slice(0, -SIDE_CAR.length)}`
        const golden = JSON.parse(readFileSync(join(FIXTURES, folder, file), 'utf8')) as Golden
        return { name, path: join(FIXTURES, name), golden }
      }),
  )

export const fixturePath = (name: string): string => join(FIXTURES, name)

/** Zips a file in a folder, with what it needs beside it. */
export function zipped(
  folder: { file(name: string, content: Uint8Array): string },
  name: string,
  path: string,
): string {
  const flat = name.replace('/', '-')
  const [properties, beside] = [path, flat].map((graph) => graph.replace(/\.graph$/, '.properties'))
  if (properties !== path && existsSync(properties!)) folder.file(beside!, readFileSync(properties!))
  return folder.file(`${flat}.gz`, gzipSync(readFileSync(path)))
}
