import type { JobContext } from '../../job.ts'
import type { ViewsArgs, ViewsOutcome } from '../../jobs.ts'
import { prepareView } from '../prepare-view.ts'
import { prepareTiles } from '../tiles/prepare-tiles.ts'
import { dropViews, listViews } from './list-views.ts'
import { prepareWeightOrdered } from './prepare-weight-ordered.ts'
import type { NamedView } from './view-name.ts'
import { parseViewName } from './view-name.ts'
import { sweepViews } from './views-folder.ts'

/** Job `views`: drops and builds what is asked for, in this order, and lists what there is then. */
export function manageViews(args: ViewsArgs, job: JobContext): ViewsOutcome {
  const { folder, checksum, budgetBytes } = args
  const wanted = args.build === undefined ? undefined : parseViewName(args.build)
  sweepViews(folder)
  const dropped = args.drop === undefined ? [] : dropViews(folder, args.drop)
  let buildMs: number | null = null
  if (wanted !== undefined) {
    const prepared = buildNamed(wanted, { folder, checksum, budgetBytes }, job)
    prepared.view.close()
    buildMs = prepared.buildMs
  }
  return { dropped, buildMs, views: listViews(folder, checksum, args.check === true) }
}

type Place = Pick<ViewsArgs, 'folder' | 'checksum' | 'budgetBytes'>

function buildNamed(wanted: NamedView, place: Place, job: JobContext) {
  switch (wanted.kind) {
    case 'oriented':
      return prepareView({ ...place, ...wanted }, job)
    case 'weight-ordered':
    case 'weight-levels':
      return prepareWeightOrdered({ ...place, ...wanted }, job)
    case 'tiles':
      return prepareTiles({ ...place, order: wanted.order }, job)
  }
}
