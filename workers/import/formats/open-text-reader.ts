import { inputFailure } from '../../base/failure.ts'
import type { FormatName } from '../../contract/jobs.ts'
import type { GraphReader, ReaderContext, TextIdsFound } from '../graph-reader.ts'
import { EdgeListReader } from './edge-list.ts'
import { MatrixMarketReader } from './matrix-market.ts'
import { MetisReader } from './metis.ts'
import { DimacsReader } from './dimacs.ts'
import { KonectReader } from './konect.ts'
import { PbbsReader } from './pbbs.ts'

/**
 * The reader of a format that is text in lines.
 * @param sample the first lines of the file
 * @param text what made an earlier reading stop, when all ids are to be texts
 * @throws Failure (input) for formats that are no text in lines (read-whole-file.ts reads those).
 */
export function openTextReader(
  format: FormatName,
  context: ReaderContext,
  sample: Uint8Array,
  text: TextIdsFound | null,
): GraphReader {
  switch (format) {
    case 'matrix-market':
      return new MatrixMarketReader(context)
    case 'metis':
      return new MetisReader(context)
    case 'edge-list':
      return new EdgeListReader(context, sample, text)
    case 'konect':
      return new KonectReader(context)
    case 'dimacs':
    case 'dimacs9':
      return new DimacsReader(context, format)
    case 'pbbs':
      return new PbbsReader(context)
    case 'galois':
    case 'egr':
    case 'gapbs':
    case 'vite':
    case 'graph500':
    case 'graph500-packed':
    case 'parquet':
    case 'arrow':
    case 'graphml':
    case 'gexf':
    case 'webgraph':
      throw inputFailure(context.source, `${format} is not read line by line`, 'Name one file of this format only.')
  }
}
