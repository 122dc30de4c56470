import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { ServicePort } from './answer.ts'

/** Calls that a host answers by itself, as only it knows the person's screen; all others go to the service. */
export type Abilities = { readonly [N in CallName]?: (args: CallArgs<N>) => Promise<CallResult<N>> }

/** The service as one host offers it. */
export function withAbilities(service: ServicePort, abilities: Abilities): ServicePort {
  return {
    call: (name, args) => {
      const own = abilities[name] as ((args: CallArgs<CallName>) => Promise<unknown>) | undefined
      return own === undefined ? service.call(name, args) : own(args)
    },
    listen: (listener) => service.listen(listener),
    close: () => service.close(),
  }
}
