import type { ImportBalance } from '../../workers/contract/jobs.ts'
import { count, counted } from './text.ts'

/** A sum and its parts: "12 = 1 header + 11 entries"; parts that are 0 are left out. */
function sumText(total: number, parts: readonly (readonly [number, string])[]): string {
  const some = parts.filter(([part]) => part > 0).map(([part, name]) => `${count(part)} ${name}`)
  return some.length === 0 ? count(total) : `${count(total)} = ${some.join(' + ')}`
}

/** The balance of an import as lines of facts: what became of all that the files hold. */
export function balanceRows({ lines, entries, vertices, weights }: ImportBalance): [string, string | null][] {
  const { total, loops, sameDirection, bothDirections, edges, differing } = entries
  return [
    [lines?.unit ?? 'lines', lines && linesText(lines)],
    [
      'entries read',
      sumText(total, [
        [edges, edges === 1 ? 'edge' : 'edges'],
        [loops, 'loops removed'],
        [sameDirection, 'merged (same direction)'],
        [bothDirections, 'merged (both directions)'],
      ]),
    ],
    ['weights that differ', differing ? `${counted(differing, 'edge was', 'edges were')} given several` : null],
    ['weights changed', weights && weightsText(weights)],
    ['rows of vertices', vertices && verticesText(vertices)],
    ['without a row', vertices && counted(vertices.withoutRow, 'vertex', 'vertices')],
  ]
}

function linesText(lines: NonNullable<ImportBalance['lines']>): string {
  const { total, header, comments, blank, vertices, entries, filtered, refused, dropped } = lines
  return sumText(total, [
    [header, 'header'],
    [comments, 'comments'],
    [blank, 'blank'],
    [vertices, 'about vertices'],
    [entries, 'entries'],
    [filtered, 'left out by the condition'],
    [refused, 'skipped as bad rows'],
    [dropped, 'left out by weight'],
  ])
}

function verticesText({ rows, matched, added, repeated, unknown, refused }: NonNullable<ImportBalance['vertices']>) {
  return sumText(rows, [
    [matched, 'matched'],
    [added, 'without an edge'],
    [repeated, 'repeated'],
    [unknown, 'of no vertex'],
    [refused, 'skipped as bad rows'],
  ])
}

/** null where all weights are what the file says. */
function weightsText(weights: NonNullable<ImportBalance['weights']>) {
  const { absolute, dropped, shifted, inverted, ones, tiny, rounded } = weights
  const changes = [
    [absolute, 'made absolute'],
    [dropped, 'dropped'],
    [shifted, 'shifted'],
    [inverted, 'inverted'],
    [ones, 'missing, became 1'],
    [tiny, 'below the range of 32-bit floats'],
    [rounded, 'rounded to 32-bit floats'],
  ] as const
  const said = changes.filter(([changed]) => changed > 0).map(([changed, name]) => `${count(changed)} ${name}`)
  return said.length === 0 ? null : said.join(', ')
}
