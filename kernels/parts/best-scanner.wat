;; Best neighbours, all free (best-scanner.ts). Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  (memory (export "memory") 1)

  ;;+ best-lists.wat
)
