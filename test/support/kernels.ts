import type { AnyKernel, Kernel } from '../../kernels/kernel.ts'
import { annealPropose } from '../../kernels/annealing/anneal-propose.ts'
import { annealSettle } from '../../kernels/annealing/anneal-settle.ts'
import { bDrop } from '../../kernels/b-matching/b-drop.ts'
import { bPair } from '../../kernels/b-matching/b-pair.ts'
import { bSelect } from '../../kernels/b-matching/b-select.ts'
import { bfsAdopt } from '../../kernels/bfs/bfs-adopt.ts'
import { bfsArcs } from '../../kernels/bfs/bfs-arcs.ts'
import { bfsBottomUp } from '../../kernels/bfs/bfs-bottom-up.ts'
import { bfsNone } from '../../kernels/bfs/bfs-none.ts'
import { bfsPack } from '../../kernels/bfs/bfs-pack.ts'
import { bfsParents } from '../../kernels/bfs/bfs-parents.ts'
import { bfsReceive } from '../../kernels/bfs/bfs-receive.ts'
import { bfsTopDown } from '../../kernels/bfs/bfs-top-down.ts'
import { colourPredecessors } from '../../kernels/colouring/colour-predecessors.ts'
import { colourVisit } from '../../kernels/colouring/colour-visit.ts'
import { componentFlatten } from '../../kernels/components/component-flatten.ts'
import { componentLink } from '../../kernels/components/component-link.ts'
import { componentMerge } from '../../kernels/components/component-merge.ts'
import { coreBound } from '../../kernels/k-core/core-bound.ts'
import { coreCommit } from '../../kernels/k-core/core-commit.ts'
import { coreSet } from '../../kernels/k-core/core-set.ts'
import { distanceReach } from '../../kernels/distance/distance-reach.ts'
import { distanceWords } from '../../kernels/distance/distance-words.ts'
import { matchAdopt } from '../../kernels/matching/match-adopt.ts'
import { matchBestShared } from '../../kernels/matching/match-best-shared.ts'
import { matchBest } from '../../kernels/matching/match-best.ts'
import { matchCollect } from '../../kernels/matching/match-collect.ts'
import { matchEnds } from '../../kernels/matching/match-ends.ts'
import { matchPair } from '../../kernels/matching/match-pair.ts'
import { matchPoint } from '../../kernels/matching/match-point.ts'
import { matchWaiting } from '../../kernels/matching/match-waiting.ts'
import { matchScan } from '../../kernels/matching/rescan/match-scan.ts'
import { memoryCopy } from '../../kernels/memory/memory-copy.ts'
import { mgAdvance } from '../../kernels/mg-mis/mg-advance.ts'
import { mgAnswers } from '../../kernels/mg-mis/mg-answers.ts'
import { mgOut } from '../../kernels/mg-mis/mg-out.ts'
import { mgQueries } from '../../kernels/mg-mis/mg-queries.ts'
import { mgRound } from '../../kernels/mg-mis/mg-round.ts'
import { misCompact } from '../../kernels/mis/mis-compact.ts'
import { misIndex } from '../../kernels/mis/mis-index.ts'
import { misMerge } from '../../kernels/mis/mis-merge.ts'
import { misPack } from '../../kernels/mis/mis-pack.ts'
import { misScanLong } from '../../kernels/mis/mis-scan-long.ts'
import { misScan } from '../../kernels/mis/mis-scan.ts'
import { misSweep } from '../../kernels/mis/mis-sweep.ts'
import { misVisit } from '../../kernels/mis/mis-visit.ts'
import { tieRules, edgeWeightRules } from '../../kernels/parts/edge-order.ts'
import { pieceSums } from '../../kernels/memory/piece-sums.ts'
import { unpackGroups } from '../../kernels/memory/unpack-groups.ts'
import { lubyRound } from '../../kernels/luby/luby-round.ts'
import { latticeEnergy } from '../../kernels/spin-glass/lattice-energy.ts'
import { spinEnergy } from '../../kernels/spin-glass/spin-energy.ts'
import { spinKeep } from '../../kernels/spin-glass/spin-keep.ts'
import { spinLattice } from '../../kernels/spin-glass/spin-lattice.ts'
import { spinMove } from '../../kernels/spin-glass/spin-move.ts'
import { spinSweep } from '../../kernels/spin-glass/spin-sweep.ts'
import { tcCandidates } from '../../kernels/tc-mis/tc-candidates.ts'
import { tcCountsMatrix } from '../../kernels/tc-mis/tc-counts-matrix.ts'
import { tcCounts } from '../../kernels/tc-mis/tc-counts.ts'
import { tcUpdate } from '../../kernels/tc-mis/tc-update.ts'

export const kernelsOfTcMis: readonly Kernel[] = [tcCandidates, tcCounts, tcCountsMatrix, tcUpdate]

const byRandom3 = { weights: edgeWeightRules.random3, ties: tieRules.hash }

export const allKernels: readonly AnyKernel[] = [
  annealPropose,
  annealSettle,
  bDrop,
  bPair,
  bSelect,
  bfsAdopt,
  bfsArcs,
  bfsBottomUp,
  bfsNone,
  bfsPack,
  bfsParents,
  bfsReceive,
  bfsTopDown,
  colourPredecessors,
  colourVisit,
  componentFlatten,
  componentLink,
  componentMerge,
  coreBound,
  coreCommit,
  coreSet,
  distanceReach,
  distanceWords,
  lubyRound,
  matchAdopt(false),
  matchAdopt(true),
  matchBest(4, byRandom3),
  matchBest(4, byRandom3, true),
  matchBestShared(4, byRandom3, 'long'),
  matchBestShared(4, byRandom3, 'longest'),
  matchBestShared(4, byRandom3, 'long', true),
  matchBestShared(4, byRandom3, 'longest', true),
  matchCollect(false),
  matchCollect(true),
  matchEnds,
  matchPair,
  matchPoint(4),
  matchScan,
  matchWaiting(4),
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
  misVisit,
  pieceSums,
  latticeEnergy,
  spinEnergy,
  spinKeep,
  spinLattice,
  spinMove,
  spinSweep,
  unpackGroups,
  ...kernelsOfTcMis,
]
