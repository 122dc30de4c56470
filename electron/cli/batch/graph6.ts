import { inputFailure } from '../../../workers/base/failure.ts'

/** The code of the least character, which stands for six zeros. */
const LEAST = 63
const MOST = 126

/**
 * A graph of a line of graph6 (McKay, formats.txt of nauty): the number of vertices in 1, 4 or 8 characters, then the upper triangle of the matrix,
 * column by column, six bits a character. @throws Failure (input)
 */
export function decodeGraph6(line: string): { vertices: number; ends: Uint32Array } {
  const text = line.trim().replace(/^>>graph6<</, '')
  const bad = (what: string) => inputFailure('the line of graph6', what, 'Write the line as nauty or NetworkX do.')
  const codes = Array.from(text, (character) => character.charCodeAt(0) - LEAST)
  if (text === '' || codes.some((code) => code < 0 || code > MOST - LEAST)) throw bad('this is no line of graph6')
  const head = codes[0]! < 63 ? [0, 1] : codes[1]! < 63 ? [1, 4] : [2, 8]
  const [first = 0, end = 1] = head
  const vertices = codes.slice(first, end).reduce((number, code) => 64 * number + code, 0)
  const bits = (vertices * (vertices - 1)) / 2
  if (codes.length - end !== Math.ceil(bits / 6))
    throw bad(`${codes.length - end} characters are not the ${Math.ceil(bits / 6)} of ${vertices} vertices`)
  const ends: number[] = []
  let bit = 0
  for (let v = 1; v < vertices; v++)
    for (let u = 0; u < v; u++, bit++)
      if (((codes[end + Math.floor(bit / 6)]! >>> (5 - (bit % 6))) & 1) === 1) ends.push(u, v)
  return { vertices, ends: Uint32Array.from(ends) }
}
