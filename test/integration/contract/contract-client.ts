import { calls, type CallArgs, type CallName, type CallResult } from '../../../electron/contract/calls.ts'
import { eventSchema, type ServiceEvent } from '../../../electron/contract/events.ts'
import type { Reply } from '../../../electron/host/answer.ts'
import { Failure } from '../../../workers/base/failure.ts'

/** One way to the service. What goes in and comes out is not checked here: the host must do that. */
export interface Way {
  raw(name: unknown, args: unknown): Promise<Reply>
  listen(listener: (event: unknown) => void): () => void
  close(): Promise<void>
}

/** A client of any host that checks all answers and events against the contract, and notes which calls were made. */
export class ContractClient {
  readonly way: Way
  readonly called = new Set<CallName>()
  readonly events: ServiceEvent[] = []

  constructor(way: Way) {
    this.way = way
    way.listen((event) => this.events.push(eventSchema.parse(event)))
  }

  /** @throws Failure as the call fails with */
  async call<N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> {
    this.called.add(name)
    const reply = await this.way.raw(name, args)
    if (!reply.ok) throw new Failure(reply.failure)
    return calls[name].result.parse(reply.result) as CallResult<N>
  }
}
