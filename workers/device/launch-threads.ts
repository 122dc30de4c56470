/**
 * Threads that run a launch of a processor together: kernels in WebAssembly, of which each thread takes chunks from a board until none is left,
 * the calling one among them. Buffers lie in as few shared memories as hold them, and places that were released are used again. A launch of one
 * chunk stays on the calling thread. cpu-device.ts has the launches, threads/work-board.ts the board.
 */

import { OWN_BYTES, type ModuleKernel, MOST_PAGES, PAGE_BYTES } from '../../kernels/kernel.ts'
import { warmThreads } from '../threads/thread-pool.ts'
import { BOARD_WORDS, WorkBoard, followBoard, takeChunk } from '../threads/work-board.ts'

/** Words of the board behind those of its own: the kernel, its launch and its arguments. */
const KERNEL = BOARD_WORDS
const THREADS = KERNEL + 1
const CHUNK = KERNEL + 2
const MEMORIES = KERNEL + 3
const ARGUMENTS = KERNEL + 4
const LISTED = KERNEL + 5
const WORDS = BOARD_WORDS + 48

/** A kernel that was compiled once for all threads. */
interface Code {
  readonly module: WebAssembly.Module
  readonly buffers: readonly string[]
}

interface LaunchTask {
  readonly board: Int32Array
  readonly codes: readonly Code[]
  readonly memories: readonly WebAssembly.Memory[]
  /** The place of the own bytes of this thread, in the first memory. */
  readonly ownAt: number
}

type Run = (from: number, to: number, threads: number, own: number, ...more: number[]) => void

/** A thread's part in launches. */
class LaunchWorker {
  readonly #task: LaunchTask
  readonly #runs = new Map<string, Run>()
  readonly #words: Uint32Array

  constructor(task: LaunchTask) {
    this.#task = task
    this.#words = new Uint32Array(task.board.buffer)
  }

  /** Takes chunks of the launch on the board until none is left. */
  work(): void {
    const { board, ownAt } = this.#task
    const words = this.#words
    const [threads, chunk] = [words[THREADS]!, words[CHUNK]!]
    let run: Run | undefined
    let more: number[] = []
    for (let from = chunk * takeChunk(board); from < threads; from = chunk * takeChunk(board)) {
      if (run === undefined) {
        const end = LISTED + words[MEMORIES]!
        run = this.#runOf(words[KERNEL]!, words.subarray(LISTED, end))
        more = [...words.subarray(end, end + words[ARGUMENTS]!)]
      }
      run(from, Math.min(threads, from + chunk), threads, ownAt, ...more)
    }
  }

  #runOf(kernel: number, at: Uint32Array): Run {
    const key = `${kernel} ${at.join(' ')}`
    const known = this.#runs.get(key)
    if (known !== undefined) return known
    const { codes, memories } = this.#task
    const { module, buffers } = codes[kernel]!
    const host: Record<string, WebAssembly.Memory> = { own: memories[0]! }
    buffers.forEach((name, i) => (host[name] = memories[at[i]!]!))
    const { run } = new WebAssembly.Instance(module, { host }).exports as { run: Run }
    this.#runs.set(key, run)
    return run
  }
}

/** A thread that takes part in launches until the device is closed. */
export function launchTask(task: LaunchTask): Promise<void> {
  const worker = new LaunchWorker(task)
  followBoard(task.board, () => worker.work())
  return Promise.resolve()
}

/** Threads of a processor that run the kernels of its launches together, the calling one among them. */
export class LaunchThreads {
  readonly #space: SharedSpace
  readonly #codes = new Map<string, Code & { readonly index: number }>()
  #count = 1
  #own: Place | undefined
  #started:
    | {
        readonly task: LaunchTask
        readonly isShared: boolean
        readonly worker: LaunchWorker
        readonly board: WorkBoard
      }
    | undefined

  constructor(space: SharedSpace) {
    this.#space = space
  }

  /** Sets the number of threads, before the first launch. */
  use(count: number): void {
    this.#count = count
    warmThreads(count - 1, 'launch-kernels')
  }

  add({ name, module, buffers }: ModuleKernel): void {
    if (this.#codes.has(name)) return
    const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'))
    this.#codes.set(name, { module: compiled, buffers: buffers.map((each) => each.name), index: this.#codes.size })
  }

  /** @throws what a thread failed with */
  run({ name, chunk }: ModuleKernel, threads: number, params: readonly number[], places: readonly Place[]) {
    const isShared = this.#count > 1 && threads > chunk
    const { worker, task, board } = this.#start(isShared)
    const memories = places.map(({ memory }) => memory)
    const more = [...params, ...places.map(({ at }) => at)]
    const launch = [this.#codes.get(name)!.index, threads, chunk, memories.length, more.length]
    new Uint32Array(task.board.buffer).set([...launch, ...memories, ...more], KERNEL)
    board.turn(() => worker.work(), isShared)
  }

  end(): void {
    this.#started?.board.close()
    this.#started = undefined
  }

  /** Threads know the memories and kernels that there were when they started. */
  #start(isShared: boolean) {
    const codes = [...this.#codes.values()]
    const own = (this.#own ??= this.#space.allocate((OWN_BYTES / 4) * this.#count))
    const { memories } = this.#space
    const known = this.#started
    const isKnown = known?.task.memories.length === memories.length && known.task.codes.length === codes.length
    if (known !== undefined && isKnown && (known.isShared || !isShared)) return known
    this.end()
    const board = new WorkBoard(WORDS)
    const common = {
      board: board.board,
      codes: codes.map(({ module, buffers }) => ({ module, buffers })),
      memories: [...memories],
    }
    const tasks = Array.from({ length: this.#count }, (_, i): LaunchTask => ({
      ...common,
      ownAt: own.at + OWN_BYTES * i,
    }))
    const [task, ...others] = tasks as [LaunchTask, ...LaunchTask[]]
    if (isShared) for (const other of others) board.start('launch-kernels', other)
    return (this.#started = { task, isShared, worker: new LaunchWorker(task), board })
  }
}

/** Words in a memory of WebAssembly. */
export interface Place {
  /** The index among {@link SharedSpace.memories}. */
  readonly memory: number
  /** Bytes. */
  readonly at: number
  readonly bytes: number
  readonly array: Uint32Array
}

interface Gap {
  readonly memory: number
  readonly at: number
  readonly end: number
  /** Whether some of it was released. */
  readonly isUsed: boolean
}

/** Bytes of a cache line. */
const ALIGNMENT = 64

/** Memories of WebAssembly that threads share, as few as hold what is allocated. What is released is used again. */
export class SharedSpace {
  readonly memories: WebAssembly.Memory[] = []
  readonly #foreign = new Set<number>()
  #gaps: Gap[] = []
  /** The memory that is filled at present; -1: none. */
  #last = -1

  /** Zeros. @throws RangeError without the memory */
  allocate(words: number): Place {
    const bytes = ALIGNMENT * Math.max(1, Math.ceil((4 * words) / ALIGNMENT))
    const gap = this.#gaps.find(({ at, end }) => end - at >= bytes) ?? this.#grow(bytes)
    const { memory, at } = gap
    this.#gaps = this.#gaps.filter((each) => each !== gap)
    if (gap.end - at > bytes) this.#gaps.push({ ...gap, at: at + bytes })
    const array = new Uint32Array(this.memories[memory]!.buffer, at, words)
    if (gap.isUsed) array.fill(0)
    return { memory, at, bytes, array }
  }

  /** Words of a memory of others. */
  adopt(memory: WebAssembly.Memory, array: Uint32Array): Place {
    const known = this.memories.indexOf(memory)
    const index = known < 0 ? this.memories.push(memory) - 1 : known
    this.#foreign.add(index)
    return { memory: index, at: array.byteOffset, bytes: array.byteLength, array }
  }

  release({ memory, at, bytes }: Place): void {
    if (this.#foreign.has(memory)) return
    const touches = (gap: Gap): boolean => gap.memory === memory && (gap.end === at || gap.at === at + bytes)
    const beside = this.#gaps.filter(touches)
    const from = Math.min(at, ...beside.map((gap) => gap.at))
    const end = Math.max(at + bytes, ...beside.map((gap) => gap.end))
    this.#gaps = [...this.#gaps.filter((gap) => !touches(gap)), { memory, at: from, end, isUsed: true }]
  }

  /** A gap of so many bytes at the end of a memory. */
  #grow(bytes: number): Gap {
    const last = this.#last
    const size = this.memories[last]?.buffer.byteLength ?? 0
    const open = this.#gaps.find(({ memory, end }) => memory === last && end === size)
    const at = open?.at ?? size
    const pages = Math.ceil((at + bytes - size) / PAGE_BYTES)
    if (last < 0 || size / PAGE_BYTES + pages > MOST_PAGES) {
      const initial = Math.ceil(bytes / PAGE_BYTES)
      this.#last = this.memories.push(new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true })) - 1
      return { memory: this.#last, at: 0, end: PAGE_BYTES * initial, isUsed: false }
    }
    this.memories[last]!.grow(pages)
    this.#gaps = this.#gaps.filter((gap) => gap !== open)
    return { memory: last, at, end: size + PAGE_BYTES * pages, isUsed: open?.isUsed ?? false }
  }
}
