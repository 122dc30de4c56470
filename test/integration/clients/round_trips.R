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
# Vertices of options and results count from 1; a search misses what is not connected to its root.
halves <- list(n = 6, edges = rbind(c(1, 2), c(2, 3), c(3, 4), c(5, 6)))
stopifnot(identical(as.vector(anticlique(halves, algorithm = "bfs", root = 4)), c(3, 2, 1, 0, NA, NA)))
stopifnot(identical(as.vector(anticlique(halves, algorithm = "bfs-tree", root = 4)), c(2, 3, 4, 4, NA, NA)))
stopifnot(identical(as.vector(anticlique(halves, keep = c(2, 6))), c(2, 4, 6)))
stopifnot(!any(c(1, 3) %in% anticlique(halves, exclude = c(1, 3))))
stopifnot(identical(as.vector(anticlique(halves, column = c(1e-3, 2, 1, 1.5, 0, 1e10))), c(2, 4, 6)))
refused <- function(words, ...) grepl(words, tryCatch(anticlique(...), error = conditionMessage), fixed = TRUE)
stopifnot(refused("no vertex 7, which root names", halves, algorithm = "bfs", root = 7), refused("no vertex 0", halves, keep = 0))
stopifnot(refused("2 weights are given for 4 edges", c(halves, list(weights = 1:2))))
stopifnot(refused("whole numbers, and one is 1.5", list(n = 2, edges = cbind(1.5, 2))))
stopifnot(refused("is missing (NA)", list(n = 2, edges = cbind(1, NA))))
# Negative entries of a matrix count by their size; other graphs say what becomes of weights that are not above zero.
signed <- matrix * ifelse(row(matrix) %% 2 == 0, -1, 1)
stopifnot(identical(as.vector(anticlique(signed, algorithm = "ld-gpu")), as.vector(anticlique(abs(signed), algorithm = "ld-gpu"))))
edge <- list(n = 3, edges = rbind(c(1, 2), c(2, 3)), weights = c(-1, 5))
stopifnot(refused("the weight -1 of the edge between 1 and 2", edge, algorithm = "ld-gpu"))
stopifnot(identical(as.vector(anticlique(edge)), c(1, 3)))
stopifnot(identical(as.vector(anticlique(edge, algorithm = "ld-gpu", weight_rule = "drop")), c(2, 3)))
# A library knows the graph again.
kept <- tempfile("library-")
first <- anticlique(matrix, library = kept)
stopifnot(identical(as.vector(anticlique(matrix, library = kept)), as.vector(first)), length(list.files(file.path(kept, "datasets"))) == 1)
unlink(kept, recursive = TRUE)
wrong <- tryCatch(anticlique(matrix, priority = "best"), error = conditionMessage)
stopifnot(grepl("--priority best", wrong, fixed = TRUE))
stopifnot(identical(as.vector(anticlique(list(n = 3, edges = matrix(0, 0, 2)))), c(1, 2, 3)))
levels <- anticlique(list(n = 7, edges = rbind(c(1, 2), c(2, 3))), algorithm = "bfs", root = 1)
stopifnot(identical(as.vector(levels), c(0, 1, 2, NA, NA, NA, NA)))
cat("round trips\n")
