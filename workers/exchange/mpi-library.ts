/**
 * MPI as far as it is used, called through koffi in a library that the machine has: Open MPI or MPICH and its kin, found by the launcher that
 * started this process. Handles and constants are those of its family, as each defines them differently. It is started once in the life of a
 * process, and left by a barrier or, for MPICH, in the words of its launcher. mpi-exchange.ts is all that calls it.
 */

import { readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { KoffiFunc, LibraryHandle } from 'koffi'
import { Failure, lostFailure, messageOf, REPEAT, usageFailure } from '../base/failure.ts'
import { launchedRank } from '../contract/ranks.ts'

/** Open MPI: handles are addresses; MPICH, Intel, Cray, MVAPICH: integers; the standard ABI of MPI 5: small integers in pointers. */
type Family = 'openmpi' | 'mpich' | 'abi'
type Handle = bigint | number
/** An array whose memory does not move. */
type Words = Uint32Array | Int32Array

interface Constants {
  readonly handle: 'void *' | 'int'
  readonly world: Handle
  readonly u32: Handle
  readonly errorsReturn: Handle
  readonly statusIgnore: bigint
  /** MPI_THREAD_FUNNELED: one thread, which need not be the first, makes all calls. */
  readonly funneled: number
}

/** Other values are those of the headers of MPICH 4 and of the standard ABI (MPI 5.0, appendix A). */
const fixed: Readonly<Record<'mpich' | 'abi', Constants>> = {
  mpich: {
    handle: 'int',
    world: 0x44000000,
    u32: 0x4c00043d,
    errorsReturn: 0x54000001,
    statusIgnore: 1n,
    funneled: 1,
  },
  abi: { handle: 'void *', world: 0x101n, u32: 0x251n, errorsReturn: 0x143n, statusIgnore: 0n, funneled: 1024 },
}

const NAMES = { abi: 'libmpi_abi.so.0', openmpi: 'libmpi.so.40', mpich: 'libmpi.so.12', debian: 'libmpich.so.12' }

type Call = KoffiFunc<(...args: readonly unknown[]) => unknown>
type Load = (name: string, options: { readonly global: boolean; readonly lazy: boolean }) => LibraryHandle

/** A request of MPI; it keeps the memory that MPI reads or writes. */
export interface MpiRequest {
  readonly handle: BigUint64Array
  readonly keeps: readonly unknown[]
}

/** The library of the cluster's own MPI, found and not started. */
interface FoundMpi {
  readonly name: string
  readonly library: LibraryHandle
}

/** @throws Failure (usage) where there is no MPI, or nothing launched this process */
export function requireMpi(): FoundMpi {
  const found = findMpi()
  if (launchedRank(process.env) === undefined)
    throw usageFailure(undefined, 'no launcher of MPI started this process', '', [
      { action: 'launch', by: 'mpirun' },
      { action: 'launch', by: 'srun' },
    ])
  return found
}

function findMpi(): FoundMpi {
  const named = process.env['ANTICLIQUE_MPI']
  // Each launcher has its own family: Open MPI's sets OMPI_*, those of MPICH set PMI_RANK and no OMPI_*.
  const isMpich = process.env['OMPI_COMM_WORLD_SIZE'] === undefined && process.env['PMI_RANK'] !== undefined
  const families = isMpich
    ? [NAMES.abi, NAMES.mpich, NAMES.debian, NAMES.openmpi]
    : [NAMES.abi, NAMES.openmpi, NAMES.mpich, NAMES.debian]
  const errors: string[] = []
  for (const name of named === undefined ? families : [named])
    try {
      return { name, library: koffiLoad()(name, { global: true, lazy: true }) }
    } catch (error) {
      if (error instanceof Failure) throw error
      errors.push(messageOf(error))
    }
  throw usageFailure(
    named,
    `no library of MPI can be loaded (${errors[0] ?? ''})`,
    'Load the module of your cluster (such as "module load openmpi"), or install the package openmpi-bin or mpich; ANTICLIQUE_MPI names a library elsewhere.',
  )
}

function koffiLoad(): Load {
  try {
    return (createRequire(import.meta.url)('koffi') as { readonly load: Load }).load
  } catch (error) {
    const [why] = messageOf(error).split('\n')
    const what = `the npm package koffi, which calls MPI, is not installed here (${why})`
    throw usageFailure(undefined, what, 'Run "npm ci" with optional packages, on Linux with glibc or macOS.')
  }
}

function has(library: LibraryHandle, name: string): boolean {
  try {
    return library.symbol(name) !== null
  } catch {
    return false
  }
}

function constantsOf({ library, name }: FoundMpi): Constants {
  // A library may have the symbols of both of its ABIs.
  const family: Family = has(library, 'ompi_mpi_comm_world') ? 'openmpi' : /abi/.test(name) ? 'abi' : 'mpich'
  if (family !== 'openmpi') return fixed[family]
  const at = (symbol: string): bigint => library.symbol(symbol) as bigint
  return {
    handle: 'void *',
    world: at('ompi_mpi_comm_world'),
    u32: at('ompi_mpi_uint32_t'),
    errorsReturn: at('ompi_mpi_errors_return'),
    statusIgnore: 0n,
    funneled: 1,
  }
}

/** MPI as far as it is used, in the thread that starts it; once in the life of a process. */
export class MpiLibrary {
  readonly rank: number
  readonly ranks: number
  /** MPICH 4 over UCX. */
  readonly #isOverUcx: boolean
  readonly #constants: Constants
  readonly #call: (name: string, ...args: readonly unknown[]) => void

  /** @throws Failure (usage) as {@link requireMpi}, and where launcher and library do not belong together; (lost) */
  constructor(found = requireMpi()) {
    const constants = constantsOf(found)
    this.#constants = constants
    const functions = declare(found.library, constants.handle)
    const words = (count: number): Int32Array => new Int32Array(new ArrayBuffer(4 * count))
    const text = (name: string, ...before: readonly unknown[]): string => {
      const bytes = new Uint8Array(8192)
      const length = words(1)
      functions[name]!(...before, bytes, length)
      return Buffer.from(bytes.subarray(0, length[0])).toString().split('\0')[0]!.trim()
    }
    this.#call = (name, ...args) => {
      const code = functions[name]!(...args) as number
      if (code !== 0) throw lostRank(`${name}: ${text('MPI_Error_string', code)}`)
    }
    this.#call('MPI_Init_thread', null, null, constants.funneled, words(1))
    // Else a mistake ends the process before its cause is known.
    this.#call('MPI_Comm_set_errhandler', constants.world, constants.errorsReturn)
    const number = words(1)
    this.#call('MPI_Comm_rank', constants.world, number)
    this.rank = number[0]!
    this.#call('MPI_Comm_size', constants.world, number)
    this.ranks = number[0]!
    // "Open MPI v4.1.4, ..."
    const [version = '', ...lines] = text('MPI_Get_library_version').split('\n')
    this.#isOverUcx = version.startsWith('MPICH') && lines.some((line) => line.includes('ucx'))
    const launched = launchedRank(process.env)?.ranks
    if (launched !== this.ranks)
      throw usageFailure(
        found.name,
        `${version.trim()} knows ${this.ranks} ranks, and ${launched} were launched: launcher and library are of different kinds`,
        'Use the mpirun of this library, set ANTICLIQUE_MPI to the library of the launcher, or under srun choose PMIx or PMI-2.',
      )
  }

  gather(own: Words, all: Words): MpiRequest {
    const { u32 } = this.#constants
    return this.#begin('MPI_Iallgather', own, own.length, u32, all, own.length, u32)
  }

  gatherParts(own: Words, all: Words, { counts, places }: GatherLayout): MpiRequest {
    const { u32 } = this.#constants
    return this.#begin('MPI_Iallgatherv', own, own.length, u32, all, counts, places, u32)
  }

  /** A word for each rank. */
  distribute(own: Words, all: Words): MpiRequest {
    const { u32 } = this.#constants
    return this.#begin('MPI_Ialltoall', own, 1, u32, all, 1, u32)
  }

  distributeParts(own: Words, to: GatherLayout, all: Words, from: GatherLayout): MpiRequest {
    const { u32 } = this.#constants
    return this.#begin('MPI_Ialltoallv', own, to.counts, to.places, u32, all, from.counts, from.places, u32)
  }

  #begin(name: string, ...args: readonly unknown[]): MpiRequest {
    const handle = new BigUint64Array(new ArrayBuffer(8))
    this.#call(name, ...args, this.#constants.world, handle)
    return { handle, keeps: args }
  }

  readonly #flag = new Int32Array(new ArrayBuffer(4))

  isDone(request: MpiRequest): boolean {
    this.#call('MPI_Test', request.handle, this.#flag, this.#constants.statusIgnore)
    return this.#flag[0] !== 0
  }

  /** No call follows. */
  finish(): void {
    const fd = launchedRank(process.env)?.launcher === 'mpirun' ? process.env['PMI_FD'] : undefined
    if (this.#isOverUcx) this.#settle()
    if (this.#isOverUcx && fd !== undefined) leaveHydra(Number(fd))
    else this.#call('MPI_Finalize')
  }

  /**
   * MPICH 4.0 over UCX finalizes for ever where a rank still owes another an answer: it closed its own connections and answers no more (as a plain
   * C program shows that pauses between its calls of MPI_Test). So every rank answers until nothing is under way, looks being counted as time alone
   * says nothing where processors are shared.
   */
  #settle(): void {
    const { world, statusIgnore } = this.#constants
    this.#call('MPI_Barrier', world)
    const untilMs = performance.now() + SETTLE_MS
    for (let looks = 0; looks < SETTLE_LOOKS || performance.now() < untilMs; looks++)
      this.#call('MPI_Iprobe', ANY_SOURCE, ANY_TAG, world, this.#flag, statusIgnore)
  }
}

/**
 * Takes leave of MPICH's launcher in its own words (PMI 1), as MPI_Finalize does once it closed all connections: these end with the process, and
 * closing them never ends in one run of three.
 */
function leaveHydra(fd: number): void {
  writeSync(fd, 'cmd=finalize\n')
  readSync(fd, Buffer.alloc(256))
}

/** MPICH's numbers. */
const ANY_SOURCE = -2
const ANY_TAG = -1
const SETTLE_MS = 300
const SETTLE_LOOKS = 1000

/** Word counts and places by rank. */
export interface GatherLayout {
  readonly counts: Int32Array
  readonly places: Int32Array
}

function declare(library: LibraryHandle, handle: string): Readonly<Record<string, Call>> {
  const at = 'void *'
  const types: Readonly<Record<string, readonly string[]>> = {
    MPI_Init_thread: [at, at, 'int', at],
    MPI_Comm_set_errhandler: [handle, handle],
    MPI_Comm_rank: [handle, at],
    MPI_Comm_size: [handle, at],
    MPI_Get_library_version: [at, at],
    MPI_Error_string: ['int', at, at],
    MPI_Iallgather: [at, 'int', handle, at, 'int', handle, handle, at],
    MPI_Iallgatherv: [at, 'int', handle, at, at, at, handle, handle, at],
    MPI_Ialltoall: [at, 'int', handle, at, 'int', handle, handle, at],
    MPI_Ialltoallv: [at, at, at, handle, at, at, at, handle, handle, at],
    MPI_Test: [at, at, at],
    MPI_Finalize: [],
    MPI_Barrier: [handle],
    MPI_Iprobe: ['int', 'int', handle, at, at],
  }
  return Object.fromEntries(
    Object.entries(types).map(([name, args]) => [name, library.func(name, 'int', [...args])] as const),
  )
}

/** Another rank does not answer any more. */
export const lostRank = (what: string): Failure =>
  lostFailure(undefined, what, 'Look which node or process ended, and resume the run with any number of ranks.', [
    REPEAT,
  ])
