import { config } from 'zod'

// A compiled schema takes longer to make than the few uses of a command, or of the program of the window, repay; and the page's security policy
// forbids eval, so that zod must not even try there. This is imported before all that builds a schema.
config({ jitless: true })
