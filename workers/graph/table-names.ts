/** Pairs of words for the ends of an edge. */
const opposites = `
  source target, source destination, source dest, src dst, src dest, src tgt, from to, start end, tail head,
  first second, left right, query subject, query target, query reference, qseqid sseqid, qacc sacc,
  qaccver saccver, origin destination, origine destination, origen destino, sender receiver, caller callee,
  citing cited, quelle ziel, von nach, von zu, von an, cible source, source cible, départ arrivée, de à,
  de vers, u v, i j, x y, a b, 1 2`
  .split(',')
  .map((pair) => pair.trim().split(' '))
const oppositeWords = new Set(opposites.flat())
/** The most columns that may be ends: in a table with more, names do not tell. */
const MOST_ENDS = 200
const isOpposite = (a: string, b: string): boolean => opposites.some(([first, second]) => first === a && second === b)

const weightWords = ['weight', 'weights', 'w', 'combined_score', 'gewicht', 'poids', 'peso']
/** Types that Neo4j writes after a name. */
const typeOfNumber = /:(?:double|float|int|long|short|byte)$/
/** Words in names of numbers that are no weights; "time" may be a length of it. */
const otherWords = new Set(['is', 'type', 'kind', 'id', 'timestamp', 'year'])

/** "FromNodeId": from, node, id; "gene_a": gene, a; "protein1": protein, 1. */
function tokensOf(name: string): string[] {
  const cut = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return cut.match(/\p{L}+|\d+/gu) ?? []
}

/** Alike but for one word, whose opposite is in the other. */
export function areEnds(source: string, target: string): boolean {
  const [a, b] = [tokensOf(source), tokensOf(target)]
  if (a.length !== b.length) return Math.min(a.length, b.length) === 1 && isOpposite(a[0]!, b[0]!)
  const differing = a.flatMap((word, i) => (word === b[i] ? [] : [i]))
  return differing.length === 1 && isOpposite(a[differing[0]!]!, b[differing[0]!]!)
}

/** Not A and B, nor 1 and 2. */
export function areSurelyEnds(source: string, target: string): boolean {
  return areEnds(source, target) && tokensOf(source).some((word) => /\p{L}{2}|[ui]/u.test(word))
}

/** gene_1, gene_2, gene_3 are measured things. */
function areCounted(names: readonly string[], source: string, target: string): boolean {
  const stemOf = (name: string): string => tokensOf(name).join(' ').replace(/\d+/, '#')
  const stem = stemOf(source)
  return stem.includes('#') && stem === stemOf(target) && names.filter((name) => stemOf(name) === stem).length > 2
}

/** The first two columns, else the only pair; null where names do not say. */
export function endsByName(names: readonly string[]): readonly [number, number] | null {
  const first = areEnds(names[0] ?? '', names[1] ?? '')
  const pair = first ? ([0, 1] as const) : onlyPair(names)
  return pair === null || areCounted(names, names[pair[0]]!, names[pair[1]]!) ? null : pair
}

function onlyPair(names: readonly string[]): readonly [number, number] | null {
  const ends = names.flatMap((name, at) => (tokensOf(name).some((word) => oppositeWords.has(word)) ? [at] : []))
  if (ends.length > MOST_ENDS) return null
  const pairs = ends.flatMap((i) =>
    ends.flatMap((j) => (i !== j && areSurelyEnds(names[i]!, names[j]!) ? [[i, j] as const] : [])),
  )
  return pairs.length === 1 ? pairs[0]! : null
}

export const isWeightName = (name: string): boolean =>
  weightWords.includes(name.trim().toLowerCase().replace(typeOfNumber, ''))

export const isOtherName = (name: string): boolean => tokensOf(name).some((word) => otherWords.has(word))
