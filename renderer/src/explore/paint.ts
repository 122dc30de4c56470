import { byName } from '../base/names.ts'
import { exactly } from '../quantity.ts'
import { blended } from '../theme/theme.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'
import { colourOfValue, type AttributeValue, type Mark, type ShownVertex } from './shown.ts'

/**
 * What a drawing is coloured by: an attribute or the values of a result. Numbers have a scale from low to high, in ranges; few texts have a
 * colour each, of many the most frequent ones. Each entry of the legend counts the vertices that it stands for, and tells which they are.
 */
export interface Paint {
  colourOf(vertex: ShownVertex): string | null
  readonly legend: readonly LegendEntry[]
}

interface LegendEntry {
  readonly key: string
  readonly text: string
  /** null: by its mark. */
  readonly colour: string | null
  readonly mark: Mark
  readonly share: number
  readonly vertices: number
  holds(vertex: ShownVertex): boolean
}

/** Colours of Okabe and Ito, told apart by all eyes, and a few more. */
const classColours = [
  ...['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#a89a00', '#7a5fb5'],
  ...['#7f4f24', '#00575c', '#f3a6c8', '#4a4a4a'],
] as const
const OTHERS = '#8c8c8c'
/** The scale from low to high is viridis without its darkest, which would be lost on a dark ground. */
const scale = ['#7350a8', '#5568ad', '#3b7fa3', '#21918c', '#35b779', '#90d743', '#fde725'] as const
const RANGES = 6

/** A colour by its three numbers, which not every program reads from hexadecimal digits. */
export const numbersOf = (colour: string): string => {
  if (!colour.startsWith('#')) return colour
  const value = Number.parseInt(colour.slice(1), 16)
  return `rgb(${value >> 16}, ${(value >> 8) & 255}, ${value & 255})`
}

/** @param share from 0, low, to 1, high */
export function scaleColour(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (scale.length - 1)
  const below = Math.min(scale.length - 2, Math.floor(at))
  return blended(numbersOf(scale[below]!), numbersOf(scale[below + 1]!), at - below)
}

const sizeOfAll = (vertices: readonly ShownVertex[]): number => vertices.reduce((sum, { size }) => sum + size, 0)

const plain = { mark: 'plain', share: 1 } as const

/** @param of what each vertex has of it */
export function paintBy(vertices: readonly ShownVertex[], of: (vertex: ShownVertex) => AttributeValue): Paint {
  const values = vertices.map(of).filter((value) => value !== null)
  const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number')
  const painted = isNumeric ? byScale(vertices, of as (vertex: ShownVertex) => number | null) : byClass(vertices, of)
  const without = vertices.filter((vertex) => of(vertex) === null)
  if (without.length === 0) return painted
  const none: LegendEntry = {
    ...plain,
    ...{ key: 'none', text: words.explore.noValue, colour: OTHERS, vertices: sizeOfAll(without) },
    holds: (vertex) => of(vertex) === null,
  }
  return { colourOf: (vertex) => painted.colourOf(vertex) ?? OTHERS, legend: [...painted.legend, none] }
}

function byScale(vertices: readonly ShownVertex[], of: (vertex: ShownVertex) => number | null): Paint {
  const known = vertices.flatMap((vertex) => of(vertex) ?? [])
  const [least, most] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))]
  // A scale of numbers that differ by far would give its larger half to one vertex.
  const above = known.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), Infinity)
  const isWide = least >= 0 && most / above > 1000
  const place = (value: number): number => (isWide ? Math.log(Math.max(value, above)) : value)
  const [low, high] = [place(least), place(most)]
  const shareOf = (value: number): number => (high === low ? 0.5 : (place(value) - low) / (high - low))
  const distinct = [...new Set(known)].sort((a, b) => a - b)
  const isFew = distinct.length <= RANGES + 2
  const range = (value: number): number =>
    isFew ? distinct.indexOf(value) : Math.min(RANGES - 1, Math.floor(shareOf(value) * RANGES))
  const groups = Map.groupBy(
    vertices.filter((vertex) => of(vertex) !== null),
    (vertex) => range(of(vertex)!),
  )
  const legend = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([at, own]): LegendEntry => {
      const within = own.map((vertex) => of(vertex)!)
      const [first, last] = [within.reduce((a, b) => Math.min(a, b)), within.reduce((a, b) => Math.max(a, b))]
      return {
        ...plain,
        key: `range ${at}`,
        text: first === last ? numberWords(first) : words.explore.range(numberWords(first), numberWords(last)),
        colour: scaleColour(isFew ? shareOf(first) : (at + 0.5) / RANGES),
        vertices: sizeOfAll(own),
        holds: (vertex) => of(vertex) !== null && range(of(vertex)!) === at,
      }
    })
  const colourOf = (vertex: ShownVertex): string | null => {
    const value = of(vertex)
    return value === null ? null : scaleColour(shareOf(value))
  }
  return { colourOf, legend }
}

const numberWords = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1000 ? exactly(Math.round(value)) : String(Number(value.toPrecision(3)))

function byClass(vertices: readonly ShownVertex[], of: (vertex: ShownVertex) => AttributeValue): Paint {
  const groups = Map.groupBy(
    vertices.filter((vertex) => of(vertex) !== null),
    (vertex) => String(of(vertex)),
  )
  const sorted = [...groups].sort((a, b) => sizeOfAll(b[1]) - sizeOfAll(a[1]) || byName(a[0], b[0]))
  const first = sorted.slice(0, classColours.length)
  const colours = new Map(first.map(([name], i) => [name, classColours[i]!]))
  const colourOf = (vertex: ShownVertex): string | null =>
    of(vertex) === null ? null : (colours.get(String(of(vertex))) ?? OTHERS)
  const entry = (key: string, text: string, colour: string, own: readonly ShownVertex[]): LegendEntry => ({
    ...plain,
    ...{ key, text, colour, vertices: sizeOfAll(own) },
    holds: (vertex) =>
      of(vertex) !== null && (colours.has(String(of(vertex))) ? `class ${String(of(vertex))}` : 'others') === key,
  })
  const others = sorted.slice(classColours.length)
  return {
    colourOf,
    legend: [
      ...first.map(([name, own]) => entry(`class ${name}`, name, colours.get(name)!, own)),
      ...(others.length === 0
        ? []
        : [
            entry(
              'others',
              words.explore.others(exactly(others.length)),
              OTHERS,
              others.flatMap(([, own]) => own),
            ),
          ]),
    ],
  }
}

/** Levels and cores are in order; colours, components and spins are names. */
export const areOrdered = (values: AlgorithmEntry['values']): boolean =>
  values?.of === 'number' && values.dense !== true && values.names === undefined

/** The values of a result: in order, as levels and cores are, on the scale; else each by its own hue, the most frequent in the legend. */
export function paintByValue(vertices: readonly ShownVertex[], isOrdered: boolean): Paint {
  if (isOrdered) return paintBy(vertices, ({ value }) => value?.number ?? null)
  const classes = paintBy(vertices, ({ value }) => value?.text ?? null)
  const few = classes.legend.every(({ key }) => key !== 'others')
  return few
    ? classes
    : { colourOf: ({ value }) => (value === null ? OTHERS : colourOfValue(value.number)), legend: [] }
}

/** What the marks of a result mean, with how many vertices have them; a group counts by its share. */
export function legendOfMarks(vertices: readonly ShownVertex[], marks: readonly Mark[]): readonly LegendEntry[] {
  const inside = new Map<Mark, number>(marks.map((mark) => [mark, 0]))
  const rest = marks.at(-1)!
  for (const { mark, share, size } of vertices) {
    const own = Math.round(share * size)
    inside.set(mark, (inside.get(mark) ?? 0) + own)
    inside.set(rest, (inside.get(rest) ?? 0) + size - own)
  }
  return marks.map((mark) => ({
    ...{ key: mark, text: words.explore[mark], colour: null, mark, share: 1, vertices: inside.get(mark) ?? 0 },
    holds: (vertex: ShownVertex) => vertex.mark === mark || (mark === rest && vertex.share < 1),
  }))
}

/** How much each vertex has of a number, from 0 to 1; null where it has none. */
export function bulksOf(
  vertices: readonly ShownVertex[],
  of: (vertex: ShownVertex) => AttributeValue,
): (vertex: ShownVertex) => number | null {
  const known = vertices.flatMap((vertex) => {
    const value = of(vertex)
    return typeof value === 'number' ? [value] : []
  })
  const [least, most] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), 0)]
  const low = Math.min(0, least)
  return (vertex) => {
    const value = of(vertex)
    return typeof value === 'number' && most > low ? (value - low) / (most - low) : 0
  }
}
