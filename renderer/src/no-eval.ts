import { config } from 'zod'

// The page's security policy forbids eval: zod must not even try. Imported before anything that builds a schema.
config({ jitless: true })
