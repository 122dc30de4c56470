# Round trips of graphs through the function, by laws that are checked here in R alone.
arguments <- commandArgs(trailingOnly = TRUE)
source(file.path(arguments[1], "anticlique.R"))

for (seed in 1) {
  set.seed(seed)
  n <- 60
  matrix <- matrix(0, n, n)
  at <- cbind(sample(n, 150, TRUE), sample(n, 150, TRUE))
  matrix[at] <- 1 + (at[, 1] * 31 + at[, 2] * 17) %% 9
  both <- pmax(matrix, t(matrix))
  diag(both) <- 0
  members <- as.vector(anticlique(matrix, priority = "hash"))
  stopifnot(length(members) > 0, all(both[members, members] == 0))
  stopifnot(all(rowSums(both[-members, members, drop = FALSE]) > 0))
  edges <- which(both != 0 & upper.tri(both), arr.ind = TRUE)
  again <- anticlique(list(n = n, edges = edges[nrow(edges):1, ]), priority = "hash")
  stopifnot(identical(as.vector(again), members), grepl('"verified":true', attr(again, "document"), fixed = TRUE))
  pairs <- anticlique(matrix, algorithm = "ld-gpu")
  ends <- as.vector(pairs)
  stopifnot(ncol(pairs) == 2, !anyDuplicated(ends), all(both[pairs[, , drop = FALSE]] > 0), all(both[-ends, -ends] == 0))
}
wrong <- tryCatch(anticlique(matrix, priority = "best"), error = conditionMessage)
stopifnot(grepl("--priority best", wrong, fixed = TRUE))
stopifnot(identical(as.vector(anticlique(list(n = 3, edges = matrix(0, 0, 2)))), c(1, 2, 3)))
levels <- anticlique(list(n = 7, edges = rbind(c(1, 2), c(2, 3))), algorithm = "bfs", root = 0)
stopifnot(identical(as.vector(levels), c(0, 1, 2, NA, NA, NA, NA)))
cat("round trips\n")
