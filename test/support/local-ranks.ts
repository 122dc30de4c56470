import { Failure, type FailureValue, settleFailure } from '../../workers/base/failure.ts'
import { type Exchange, type Operation, newFigures } from '../../workers/exchange/exchange.ts'

type Parts = readonly Uint32Array[]

/** What the ranks have brought to one operation. */
interface Meeting {
  readonly kind: string
  readonly brought: (Parts | undefined)[]
  readonly failures: (FailureValue | undefined)[]
  readonly over: PromiseWithResolvers<void>
}

/** Ranks that take turns on one thread, so that hundreds of small runs need no processes. @param late seldom done at the first look */
export function localRanks(ranks: number, late = 0): Exchange[] {
  const meetings: Meeting[] = []
  return Array.from({ length: ranks }, (_, rank): Exchange => {
    let next = 0
    const figures = newFigures()
    const meet = (kind: string, parts: Parts, failure?: FailureValue): Operation<Parts> => {
      const at = next++
      const meeting = (meetings[at] ??= {
        kind,
        brought: Array.from({ length: ranks }),
        failures: Array.from({ length: ranks }),
        over: Promise.withResolvers<void>(),
      })
      if (meeting.kind !== kind && failure === undefined && meeting.failures.every((each) => each === undefined))
        throw new Error(`rank ${rank} does ${kind} where another does ${meeting.kind}`)
      meeting.brought[rank] = parts.map((part) => part.slice())
      meeting.failures[rank] = failure
      const isComplete = (): boolean => meeting.brought.every((each) => each !== undefined)
      if (isComplete()) meeting.over.resolve()
      let looks = 0
      const value = (): Parts => {
        const first = meeting.failures.find((each) => each !== undefined)
        if (first !== undefined) throw new Failure(first)
        const got = meeting.brought.map((each) => each![kind === 'gather' ? 0 : rank]!)
        figures.bytesReceived += got.reduce((sum, part, from) => (from === rank ? sum : sum + part.byteLength), 0)
        return got
      }
      const result = async (): Promise<Parts> => {
        await meeting.over.promise
        return value()
      }
      return {
        isDone: () => isComplete() && looks++ >= late,
        get value() {
          return value()
        },
        result,
        beside: result,
      }
    }
    return {
      rank,
      ranks,
      figures,
      gather: (words) => meet('gather', [words]),
      distribute: (parts) => meet('distribute', parts),
      words: (count) => new Uint32Array(count),
      release: () => {},
      fail: async (error) => {
        try {
          await meet('fail', [], settleFailure(error).failure).result()
        } catch (agreed) {
          return agreed as Failure
        }
        throw new Error('no rank failed')
      },
      end: async () =>
        void (await meet(
          'end',
          Array.from({ length: ranks }, () => new Uint32Array(0)),
        ).result()),
    }
  })
}
