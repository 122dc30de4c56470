import type { TableOptions } from '../../contract/jobs.ts'
import { CommentRule, isSigned } from './comment-rule.ts'
import { trimmed } from './table-lines.ts'

const NEWLINE = 10
const SAMPLE_LINES = 1000

export function commentPrefix({ comment }: TableOptions): Uint8Array | undefined {
  return comment === undefined ? undefined : Buffer.from(comment)
}

/** Lines of data, and the comment right above them. */
export interface SampleLines {
  readonly lines: readonly Uint8Array[]
  readonly comment: Uint8Array | null
}

/** All lines of a sample that begin with a sign of comments, and all others. */
export function signedLines(sample: Uint8Array) {
  const [lines, signed]: [Uint8Array[], { line: Uint8Array; begun: boolean }[]] = [[], []]
  for (const line of linesOf(sample))
    if (isSigned(line)) signed.push({ line, begun: lines.length > 0 })
    else lines.push(line)
  return { lines, signed }
}

/** Without blank ones. */
export function* linesOf(sample: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < sample.length;) {
    const newline = sample.indexOf(NEWLINE, at)
    const end = newline < 0 ? sample.length : newline
    const line = trimmed(sample, at, end)
    at = end + 1
    if (line.length > 0) yield line
  }
}

export function sampleLines(
  sample: Uint8Array,
  table: TableOptions,
  most = SAMPLE_LINES,
  rule = new CommentRule(commentPrefix(table)),
): SampleLines {
  const lines: Uint8Array[] = []
  let comment: Uint8Array | null = null
  for (const line of linesOf(sample)) {
    if (lines.length >= most) break
    if (!rule.isComment(line, lines.length > 0)) lines.push(line)
    else if (lines.length === 0) comment = line
  }
  return { lines, comment }
}
