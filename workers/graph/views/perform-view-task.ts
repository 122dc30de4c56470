import { fillSlabs } from './fill-slabs.ts'
import { layChunks } from './lay-chunks.ts'
import { findFirsts, orderSlabs } from './order-slabs.ts'
import { routeArcs } from './route-arcs.ts'
import type { Member } from './team.ts'
import type { ViewTask } from './view-task.ts'

/** One member's share of a step of building a view. */
export function performViewTask(task: ViewTask, member: Member): void {
  switch (task.step) {
    case 'route':
      return routeArcs(task, member)
    case 'lay':
      return layChunks(task, member)
    case 'fill':
      return fillSlabs(task, member)
    case 'first':
      return findFirsts(task, member)
    case 'order':
      return orderSlabs(task, member)
  }
}
