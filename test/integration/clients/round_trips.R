# Round trips of graphs through the functions, by laws that are checked here in R, Matrix and igraph alone.
arguments <- commandArgs(trailingOnly = TRUE)
source(file.path(arguments[1], "anticlique.R"))
same <- function(result, value) identical(as.vector(result), value)
# A process for each call takes a second: one engine answers all graphs of a list, read, numbered and named by the same code.
one <- function(graph, algorithm = "ecl-mis", ...) anticlique_many(list(graph), algorithm, ...)[[1]]

set.seed(1)
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
# The same graph in all its forms, in one go; negative entries of a matrix count by their size.
signed <- matrix * ifelse(row(matrix) %% 2 == 0, -1, 1)
listed <- list(n = n, edges = edges[nrow(edges):1, ], weights = both[edges[nrow(edges):1, ]])
graphs <- list(dense = matrix, signed = signed, listed = listed)
if (requireNamespace("Matrix", quietly = TRUE)) {
  graphs$sparse <- Matrix::Matrix(matrix, sparse = TRUE)
  graphs$symmetric <- Matrix::forceSymmetric(Matrix::Matrix(both, sparse = TRUE))
}
if (requireNamespace("igraph", quietly = TRUE)) graphs$igraph <- igraph::graph_from_adjacency_matrix(both, mode = "undirected", weighted = TRUE)
sets <- anticlique_many(graphs, priority = "hash")
stopifnot(identical(names(sets), names(graphs)), all(vapply(sets, same, NA, members)))
matchings <- anticlique_many(graphs, "ld-gpu")
pairs <- matchings$dense
stopifnot(all(vapply(matchings, same, NA, as.vector(pairs))))
ends <- as.vector(pairs)
stopifnot(ncol(pairs) == 2, !anyDuplicated(ends), all(both[pairs[, , drop = FALSE]] > 0), all(both[-ends, -ends] == 0))
facts <- anticlique_facts(pairs)
stopifnot(facts$size == nrow(pairs), facts$weight == sum(both[pairs[, , drop = FALSE]]), facts$verified, facts$upper_bound >= facts$weight, nchar(facts$hash) == 16)
# A call of its own has the same answer.
alone <- anticlique(graphs[[length(graphs)]], algorithm = "ld-gpu")
stopifnot(same(alone, as.vector(pairs)), identical(anticlique_facts(alone)$hash, facts$hash), grepl('"verified":true', attr(alone, "document"), fixed = TRUE))
# Out: to Matrix and igraph.
if (!is.null(graphs$sparse)) {
  stopifnot(identical(which(as.vector(anticlique_matrix(sets$dense)) == 1), as.integer(members)))
  stopifnot(Matrix::nnzero(anticlique_matrix(pairs)) == 2 * nrow(pairs), all(both[as.matrix(anticlique_matrix(pairs)) != 0] > 0))
  groups <- one(matrix, "mis2-aggregates")
  stopifnot(all(Matrix::rowSums(anticlique_matrix(groups)) == 1), ncol(anticlique_matrix(groups)) == length(unique(groups)))
}
if (!is.null(graphs$igraph)) {
  marked <- anticlique_mark(anticlique_mark(graphs$igraph, sets$igraph, "inside"), matchings$igraph, "mate")
  stopifnot(identical(which(igraph::V(marked)$inside), as.integer(members)), sum(!is.na(igraph::V(marked)$mate)) == length(ends))
}
# Vertices of a data frame are its ids.
frame <- data.frame(from = c("b", "a", "c"), to = c("c", "b", "d"), weight = c(5, 1, 1))
stopifnot(identical(as.vector(one(frame, "ld-gpu", quality = "best")), c("b", "c")), setequal(one(frame, keep = "a"), c("a", "c")) || setequal(one(frame, keep = "a"), c("a", "d")))
# Vertices of options and results count from 1; a search misses what is not connected to its root.
halves <- list(n = 6, edges = rbind(c(1, 2), c(2, 3), c(3, 4), c(5, 6)))
stopifnot(same(one(halves, "bfs", root = 4), c(3, 2, 1, 0, NA, NA)), same(anticlique(halves, algorithm = "bfs-tree", root = 4), c(2, 3, 4, 4, NA, NA)))
stopifnot(same(one(halves, "bfs-tree", root = 4), c(2, 3, 4, 4, NA, NA)))
stopifnot(same(anticlique(halves, keep = c(2, 6)), c(2, 4, 6)), same(one(halves, keep = c(2, 6)), c(2, 4, 6)), !any(c(1, 3) %in% one(halves, exclude = c(1, 3))))
stopifnot(same(one(halves, column = c(1e-3, 2, 1, 1.5, 0, 1e10)), c(2, 4, 6)))
stopifnot(same(one(list(n = 3, edges = matrix(0, 0, 2))), c(1, 2, 3)))
# Weights that no 32-bit float tells apart, in a file and in a row.
close <- list(n = 3, edges = rbind(c(1, 2), c(2, 3)), weights = c(2^53 - 2, 2^53 - 1))
stopifnot(same(anticlique(close, algorithm = "ld-gpu"), c(2, 3)), same(one(close, "ld-gpu"), c(2, 3)))

refused <- function(words, ...) grepl(words, tryCatch(one(...), error = conditionMessage), fixed = TRUE)
stopifnot(refused("no vertex 7, which root names", halves, algorithm = "bfs", root = 7), refused("no vertex 0", halves, keep = 0))
stopifnot(refused("2 weights are given for 4 edges", c(halves, list(weights = 1:2))))
whole <- tryCatch(anticlique(list(n = 2, edges = cbind(1.5, 2))), error = conditionMessage)
stopifnot(grepl("whole numbers, and one is 1.5", whole, fixed = TRUE))
missing <- tryCatch(anticlique(list(n = 2, edges = cbind(1, NA))), error = conditionMessage)
stopifnot(grepl("is missing (NA)", missing, fixed = TRUE))
# Other graphs say what becomes of weights that are not above zero.
edge <- list(n = 3, edges = rbind(c(1, 2), c(2, 3)), weights = c(-1, 5))
negative <- tryCatch(anticlique(edge, algorithm = "ld-gpu"), error = conditionMessage)
stopifnot(grepl("the weight -1 of the edge between 1 and 2", negative, fixed = TRUE))
stopifnot(same(one(edge), c(1, 3)), same(one(edge, "ld-gpu", weight_rule = "drop"), c(2, 3)))
# A library knows the graph again.
kept <- tempfile("library-")
first <- anticlique(matrix, library = kept)
stopifnot(same(anticlique(matrix, library = kept), as.vector(first)), length(list.files(file.path(kept, "datasets"))) == 1)
unlink(kept, recursive = TRUE)
# What the program refuses is an error of its own class, with the remedy, and the others have their answers.
wrong <- tryCatch(anticlique(matrix, priority = "best"), anticlique_error = identity)
stopifnot(grepl("--priority best", conditionMessage(wrong), fixed = TRUE))
mixed <- anticlique_many(list(halves, list(n = 2, edges = cbind(1, 5)), halves), errors = "return", priority = "hash")
stopifnot(inherits(mixed[[2]], "anticlique_error"), mixed[[2]]$remedy == "Vertices count from 0.", same(mixed[[1]], as.vector(mixed[[3]])))
cat("round trips\n")
