import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue'

/** What the control of a form's field carries. */
type Carried = ComputedRef<{ readonly id?: string; readonly 'aria-describedby'?: string }>

const KEY: InjectionKey<Carried> = Symbol('field')

export const provideField = (carried: Carried): void => provide(KEY, carried)
export const useField = (): Carried => inject(KEY, () => computed(() => ({})), true)
