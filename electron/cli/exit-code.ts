import type { FailureCode } from '../../workers/base/failure.ts'

/** 0 done, 2 bad usage or input, 3 failed verification, 4 device or engine failure, 130 cancelled. */
export function exitCodeOf(code: FailureCode): 2 | 3 | 4 | 130 {
  switch (code) {
    case 'usage':
    case 'input':
    case 'storage':
      return 2
    case 'verification':
      return 3
    case 'device':
    case 'lost':
    case 'engine':
    case 'fault':
      return 4
    case 'cancelled':
      return 130
  }
}
