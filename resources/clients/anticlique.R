# Independent sets and matchings of graphs in R, computed by the command `anticlique`. One file, which needs nothing beyond R:
#
#   source("anticlique.R")
#   members <- anticlique(graph)
#   pairs <- anticlique(graph, algorithm = "ld-gpu", ties = "degree")
#
# graph: a sparse or dense square matrix, an igraph graph, or list(n = , edges = , weights = ) with a matrix of two columns. Vertices
# count from 1, as everywhere in R. The result is a vector of vertices, or a matrix of two columns; its attribute "document" is the text
# that `anticlique run --json` prints. keep = and exclude = take vertices, root = one, column = a number for each vertex. Of algorithms that
# give every vertex a value the result are these, NA where a search does not reach it. Other arguments are options of `anticlique run`: priority = "hash" is --priority hash,
# and TRUE is an option without a value. The command is the one that ANTICLIQUE_COMMAND names, else `anticlique` in PATH.
# Loops are left out, arcs are taken as edges, and of parallel edges the greatest weight counts. Negative entries of a matrix count by their size;
# of other graphs weights that are not above zero are refused where the algorithm compares weights, unless weight_rule = says "absolute", "drop" (the
# edge) or "shift" (all, so that the least is 1). library = names a folder that keeps the graph, once, and the run; without it both go.

anticlique <- function(graph, algorithm = "ecl-mis", ..., verify = TRUE, library = NULL, weight_rule = NULL,
                       command = Sys.getenv("ANTICLIQUE_COMMAND", "anticlique")) {
  folder <- tempfile("anticlique-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, "graph.gr")
  output <- file.path(folder, "result.txt")
  read <- anticlique_weighed(anticlique_edges(graph), weight_rule, algorithm %in% c("ld-gpu", "mis2-aggregates", "spin-glass"))
  anticlique_write_gr(path, read$n, read$edges, read$weights)
  options <- list(..., verify = verify)
  listed <- function(name, lines) {
    path <- file.path(folder, paste0(name, ".txt"))
    writeLines(lines, path)
    path
  }
  exact <- function(value) format(value, scientific = FALSE, trim = TRUE, digits = 15)
  words <- unlist(lapply(names(options), function(name) {
    value <- options[[name]]
    # Vertices count from 0 in the file.
    if (name %in% c("root", "keep", "exclude") && is.numeric(value)) {
      beyond <- setdiff(value, seq_len(read$n))
      if (length(beyond) > 0) stop("the graph has no vertex ", beyond[1], ", which ", name, " names")
      value <- if (name == "root") value - 1 else listed(name, exact(value - 1))
    }
    if (name == "column" && is.numeric(value)) value <- listed(name, paste0(exact(seq_along(value) - 1), ",", sprintf("%.17g", value)))
    flag <- paste0("--", gsub("[_.]", "-", name))
    if (is.null(value) || identical(value, FALSE)) NULL
    else if (identical(value, TRUE)) flag
    else c(flag, exact(value))
  }))
  program <- strsplit(command, " ", fixed = TRUE)[[1]]
  errors <- file.path(folder, "errors.txt")
  ask <- function(...) {
    answer <- file.path(folder, "answer.json")
    words <- c(program[-1], "--json", "--library", if (is.null(library)) file.path(folder, "library") else library, ...)
    status <- system2(program[1], shQuote(words), stdout = answer, stderr = errors)
    if (status != 0) stop(paste(c("anticlique:", readLines(errors, warn = FALSE)), collapse = " "), call. = FALSE)
    paste(readLines(answer, warn = FALSE), collapse = "\n")
  }
  dataset <- path
  if (!is.null(library)) {
    # What the library keeps must not be a link to a file that goes. Its name is that of its bytes: it is stored once.
    dataset <- paste0("graph-", unname(tools::md5sum(path)))
    if (!grepl(paste0('"name":"', dataset, '"'), ask("datasets"), fixed = TRUE)) ask("import", path, "--name", dataset)
  }
  document <- ask("run", dataset, "--algorithm", algorithm, "--output", output, words)
  if (grepl('"kind":"values"', document, fixed = TRUE)) {
    # A vertex, a tab, and nothing where it has no value.
    values <- as.numeric(sub("^.*\t", "", readLines(output)))
    return(structure(if (algorithm == "bfs-tree") values + 1 else values, document = document))
  }
  numbers <- scan(output, what = double(), quiet = TRUE) + 1
  if (grepl('"kind":"(b-)?matching"', document)) numbers <- matrix(numbers, ncol = 2, byrow = TRUE)
  structure(numbers, document = document)
}

# list(n, edges from 1, weights or NULL) of what people call a graph.
anticlique_edges <- function(graph) {
  if (inherits(graph, "igraph")) {
    weights <- igraph::edge_attr(graph, "weight")
    return(list(n = igraph::vcount(graph), edges = igraph::as_edgelist(graph, names = FALSE), weights = weights, rule = "reject"))
  }
  if (is.list(graph) && !is.null(graph$edges)) {
    edges <- matrix(as.numeric(as.matrix(graph$edges)), ncol = 2)
    return(list(n = if (is.null(graph$n)) max(edges, 0) else graph$n, edges = edges, weights = graph$weights, rule = "reject"))
  }
  if (length(dim(graph)) != 2 || nrow(graph) != ncol(graph)) stop("a graph is a square matrix, an igraph graph or list(n, edges, weights)")
  if (anticlique_is(graph, "sparseMatrix")) {
    triplets <- methods::as(methods::as(graph, "generalMatrix"), "TsparseMatrix")
    values <- if (methods::.hasSlot(triplets, "x")) triplets@x else rep(1, length(triplets@i))
    at <- cbind(triplets@i + 1, triplets@j + 1)
  } else {
    at <- which(graph != 0, arr.ind = TRUE)
    values <- as.numeric(graph[at])
  }
  list(n = nrow(graph), edges = unname(at)[values != 0, , drop = FALSE], weights = values[values != 0], rule = "absolute")
}

# Weights by a rule of the command line; none where they cannot be stored and nothing compares them.
anticlique_weighed <- function(graph, rule, compares) {
  values <- graph$weights
  if (is.null(values)) return(graph)
  if (length(values) != nrow(graph$edges)) stop(length(values), " weights are given for ", nrow(graph$edges), " edges")
  values <- as.numeric(values)
  rule <- match.arg(if (is.null(rule)) graph$rule else rule, c("reject", "absolute", "drop", "shift"))
  if (rule == "absolute") values <- abs(values)
  if (rule == "shift" && length(values) > 0 && isTRUE(min(values) <= 0)) values <- values - min(values) + 1
  if (rule == "drop") {
    kept <- is.na(values) | values > 0
    graph$edges <- graph$edges[kept, , drop = FALSE]
    values <- values[kept]
  }
  graph$weights <- if (compares || all(is.finite(values) & values > 0 & values < 2^128)) values
  graph
}

anticlique_is <- function(object, class) isS4(object) && methods::is(object, class)

# A canonical Galois binary file (version 1): both arcs of every edge, no loops, neighbours ascending and once.
anticlique_write_gr <- function(path, n, edges, weights = NULL) {
  if (anyNA(edges)) stop("an end of an edge is missing (NA)")
  if (any(edges != floor(edges))) stop("ends of edges are whole numbers, and one is ", edges[edges != floor(edges)][1])
  if (length(edges) > 0 && (min(edges) < 1 || max(edges) > n)) stop("edges name vertices beyond 1 to ", n)
  if (!is.null(weights) && length(weights) != nrow(edges)) stop(length(weights), " weights are given for ", nrow(edges), " edges")
  if (!is.null(weights)) {
    wrong <- which(!is.finite(weights) | weights <= 0 | weights >= 2^128)
    if (length(wrong) > 0) {
      ends <- edges[wrong[1], ]
      stop("the weight ", weights[wrong[1]], " of the edge between ", ends[1], " and ", ends[2], " is not finite and greater than zero, or no 32-bit float")
    }
  }
  if (!is.null(weights) && all(weights == 1)) weights <- NULL
  proper <- edges[, 1] != edges[, 2]
  from <- c(edges[proper, 1], edges[proper, 2]) - 1
  to <- c(edges[proper, 2], edges[proper, 1]) - 1
  values <- if (is.null(weights)) NULL else rep(weights[proper], 2)
  order <- if (is.null(values)) order(from, to) else order(from, to, -values)
  from <- from[order]
  to <- to[order]
  first <- !duplicated(cbind(from, to))
  file <- file(path, "wb")
  on.exit(close(file))
  words <- function(x) writeBin(as.integer(ifelse(x >= 2^31, x - 2^32, x)), file, size = 4, endian = "little")
  # R has no integers of 64 bits: the lower and upper halves in turn.
  longs <- function(x) words(as.vector(rbind(x %% 2^32, x %/% 2^32)))
  arcs <- sum(first)
  longs(c(1, if (is.null(values)) 0 else 4, n, arcs))
  longs(cumsum(tabulate(from[first] + 1, n)))
  words(to[first])
  if (arcs %% 2 == 1) words(0)
  if (!is.null(values)) writeBin(as.numeric(values[order][first]), file, size = 4, endian = "little")
}
