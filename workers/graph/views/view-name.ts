import { Failure } from '../../failure.ts'
import type { EdgeTies, EdgeWeights, Priority } from '../../jobs.ts'
import { edgeTies, edgeWeights, priorities } from '../../jobs.ts'
import type { TileOrder } from '../tiles/tile-format.ts'
import { tileOrders } from '../tiles/tile-format.ts'
import type { WeightOrderedKind } from '../weight-ordered-view.ts'
import type { EdgeOrder } from './edge-order.ts'

/** Which view a person means by "oriented:degree", "oriented:hash-7", "tiles:rcm" or "weight-ordered:random3-hash-7". */
export type NamedView =
  | { readonly kind: 'oriented'; readonly priority: Exclude<Priority, 'column'>; readonly seed: number }
  | { readonly kind: WeightOrderedKind; readonly order: EdgeOrder }
  | { readonly kind: 'tiles'; readonly order: TileOrder }

const MOST_SEED = 2 ** 32 - 1

/** @throws Failure (usage) with all that could be meant */
export function parseViewName(text: string): NamedView {
  const [, kind, order = ''] = /^(oriented|weight-ordered|weight-levels|tiles)[:-](.+)$/.exec(text) ?? []
  const [first = '', ...rest] = order.split('-')
  if (kind === 'oriented' && rest.length <= 1) {
    const priority = priorities.find((known) => known === first)
    const seed = seedOf(rest[0])
    if (priority !== undefined && priority !== 'column' && seed !== undefined) return { kind, priority, seed }
  }
  if ((kind === 'weight-ordered' || kind === 'weight-levels') && rest.length <= 2) {
    const weights: EdgeWeights | undefined = edgeWeights.find((known) => known === first)
    const ties: EdgeTies | undefined = edgeTies.find((known) => known === (rest[0] ?? 'hash'))
    const seed = seedOf(rest[1])
    if (weights !== undefined && ties !== undefined && seed !== undefined)
      return { kind, order: { weights, ties, seed } }
  }
  if (kind === 'tiles') {
    const tileOrder = tileOrders.find((known) => known === order)
    if (tileOrder !== undefined) return { kind, order: tileOrder }
  }
  const orders = priorities.filter((priority) => priority !== 'column').join('|')
  throw new Failure({
    code: 'usage',
    where: text,
    what: 'this names no view that can be built ahead',
    remedy: `Write oriented:${orders}, weight-ordered: or weight-levels:${edgeWeights.join('|')}-${edgeTies.join('|')}, with -SEED where it is not 0, or tiles:${tileOrders.join('|')}.`,
  })
}

function seedOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0
  return /^\d{1,10}$/.test(text) && Number(text) <= MOST_SEED ? Number(text) : undefined
}
