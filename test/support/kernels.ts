import type { Kernel } from '../../kernels/kernel.ts'
import { matchFirst } from '../../kernels/match-first.ts'
import { matchMates } from '../../kernels/match-mates.ts'
import { matchPoint } from '../../kernels/match-point.ts'
import { matchScan } from '../../kernels/match-scan.ts'
import { matchSecond } from '../../kernels/match-second.ts'
import { matchTake } from '../../kernels/match-take.ts'
import { matchTakeBits } from '../../kernels/match-take-bits.ts'
import { matchWalk } from '../../kernels/match-walk.ts'
import { memoryCopy } from '../../kernels/memory-copy.ts'
import { mgAdvance } from '../../kernels/mg-advance.ts'
import { mgAnswers } from '../../kernels/mg-answers.ts'
import { mgOut } from '../../kernels/mg-out.ts'
import { mgQueries } from '../../kernels/mg-queries.ts'
import { mgRound } from '../../kernels/mg-round.ts'
import { misCompact } from '../../kernels/mis/mis-compact.ts'
import { misIndex } from '../../kernels/mis/mis-index.ts'
import { misMerge } from '../../kernels/mis/mis-merge.ts'
import { misPack } from '../../kernels/mis/mis-pack.ts'
import { misScanLong } from '../../kernels/mis/mis-scan-long.ts'
import { misScan } from '../../kernels/mis/mis-scan.ts'
import { misSweep } from '../../kernels/mis/mis-sweep.ts'
import { pieceSums } from '../../kernels/piece-sums.ts'
import { tcBegin } from '../../kernels/tc-begin.ts'
import { tcCandidatesLanes } from '../../kernels/tc-candidates-lanes.ts'
import { tcCandidates } from '../../kernels/tc-candidates.ts'
import { tcCountsLanes } from '../../kernels/tc-counts-lanes.ts'
import { tcCountsMatrix } from '../../kernels/tc-counts-matrix.ts'
import { tcCounts } from '../../kernels/tc-counts.ts'
import { tcLate } from '../../kernels/tc-late.ts'
import { tcUpdateLanes } from '../../kernels/tc-update-lanes.ts'
import { tcUpdate } from '../../kernels/tc-update.ts'

export const kernelsOfTcMis: readonly Kernel[] = [
  tcBegin,
  tcCandidates,
  tcCandidatesLanes,
  tcCounts,
  tcCountsLanes,
  tcCountsMatrix,
  tcLate,
  tcUpdate,
  tcUpdateLanes,
]

export const allKernels: readonly Kernel[] = [
  matchFirst,
  matchMates,
  matchPoint,
  matchScan,
  matchSecond,
  matchTake,
  matchTakeBits,
  matchWalk,
  memoryCopy,
  mgAdvance,
  mgAnswers,
  mgOut,
  mgQueries,
  mgRound,
  misCompact,
  misIndex,
  misMerge,
  misPack,
  misScan,
  misScanLong,
  misSweep,
  pieceSums,
  ...kernelsOfTcMis,
]
