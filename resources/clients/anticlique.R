# Independent sets, matchings and values of vertices of graphs in R, computed by the command `anticlique`. One file, which needs nothing beyond R:
#
#   source("anticlique.R")
#   members <- anticlique(graph)
#   pairs <- anticlique(graph, algorithm = "ld-gpu", ties = "degree")
#   anticlique_facts(pairs)                          # size, weight, bound, verified, seconds, hash
#   results <- anticlique_many(graphs)               # thousands of graphs by one engine
#
# graph: a sparse (Matrix) or dense square matrix, an igraph graph, a data frame of edges (columns source, target and perhaps weight, else its first two), or
# list(n = , edges = , weights = ) with a matrix of two columns. Vertices count from 1, as everywhere in R; those of a data frame are its ids. The result is a
# vector of vertices, or a matrix of two columns; its attribute "document" is the text that `anticlique run --json` prints. keep = and exclude = take vertices, root =
# one, column = a number for each vertex. Of algorithms that give every vertex a value the result are these, NA where a search does not reach it. Other arguments are
# options of `anticlique run`: priority = "hash" is --priority hash, and TRUE is an option without a value. The command is the one that ANTICLIQUE_COMMAND names,
# else `anticlique` in PATH. What it refuses is an error of class "anticlique_error" with `remedy`.
# Loops are left out, arcs are taken as edges, and of parallel edges the greatest weight counts. Weights are numbers of 64 bits, and none is rounded. Negative
# entries of a matrix count by their size; of other graphs weights that are not above zero are refused where the algorithm compares weights, unless weight_rule =
# says "absolute", "drop" (the edge) or "shift" (all, so that the least is 1). library = names a folder that keeps the graph, once, and the run; without it both go.
#
# Out: anticlique_mark(graph, result) is the igraph graph with the result as an attribute of its vertices; anticlique_matrix(result) a sparse matrix of
# Matrix: the members of a set as a column, the edges of a matching, or who is in which group of values, a column each, as a prolongation has them.

anticlique <- function(graph, algorithm = "ecl-mis", ..., verify = TRUE, library = NULL, weight_rule = NULL,
                       command = Sys.getenv("ANTICLIQUE_COMMAND", "anticlique")) {
  folder <- tempfile("anticlique-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, "graph.gr")
  output <- file.path(folder, "result.txt")
  read <- anticlique_read(graph, weight_rule, algorithm)
  anticlique_write_gr(path, read$n, read$edges, read$weights)
  options <- list(..., verify = verify)
  listed <- function(name, lines) {
    path <- file.path(folder, paste0(name, ".txt"))
    writeLines(lines, path)
    path
  }
  words <- unlist(lapply(names(options), function(name) {
    value <- options[[name]]
    # Vertices count from 0 in the file.
    if (name %in% c("root", "keep", "exclude") && !is.null(value)) {
      value <- anticlique_numbers(read, value, name) - 1
      if (name != "root") value <- listed(name, anticlique_exact(value))
    }
    if (name == "column" && is.numeric(value)) value <- listed(name, paste0(anticlique_exact(seq_along(value) - 1), ",", sprintf("%.17g", value)))
    flag <- paste0("--", gsub("[_.]", "-", name))
    if (is.null(value) || identical(value, FALSE)) NULL
    else if (identical(value, TRUE)) flag
    else c(flag, anticlique_exact(value))
  }))
  kept <- if (is.null(library)) file.path(folder, "library") else library
  ask <- function(...) anticlique_ask(command, folder, c("--json", "--library", kept, ...))
  dataset <- path
  if (!is.null(library)) {
    # What the library keeps must not be a link to a file that goes. Its name is that of its bytes: it is stored once.
    dataset <- paste0("graph-", unname(tools::md5sum(path)))
    if (!grepl(paste0('"name":"', dataset, '"'), ask("datasets"), fixed = TRUE)) ask("import", path, "--name", dataset)
  }
  document <- ask("run", dataset, "--algorithm", algorithm, "--output", output, words)
  # Of values a vertex, a tab, and nothing where it has no value.
  lines <- if (anticlique_kind(document) == "values") sub("^.*\t", "", readLines(output)) else scan(output, what = double(), quiet = TRUE)
  anticlique_result(read, algorithm, as.numeric(lines), document)
}

# A list of results of a list of graphs, in their order, by one engine; nothing is kept. errors = "return" has the error in the place of a result.
anticlique_many <- function(graphs, algorithm = "ecl-mis", ..., verify = TRUE, errors = c("stop", "return"), weight_rule = NULL,
                            command = Sys.getenv("ANTICLIQUE_COMMAND", "anticlique")) {
  errors <- match.arg(errors)
  folder <- tempfile("anticlique-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  reads <- lapply(graphs, anticlique_read, weight_rule, algorithm)
  options <- list(algorithm = algorithm, ..., verify = verify)
  array <- function(values) paste0("[", paste(anticlique_exact(values), collapse = ","), "]")
  row <- function(read) {
    named <- vapply(names(options), function(name) {
      value <- options[[name]]
      if (name %in% c("root", "keep", "exclude")) value <- anticlique_numbers(read, value, name) - 1
      text <- if (name %in% c("keep", "exclude", "column")) array(value)
        else if (is.logical(value)) tolower(value)
        else if (is.numeric(value) && name != "root") anticlique_exact(value)
        else encodeString(as.character(value), quote = '"')
      paste0('"', name, '":', text)
    }, "")
    # The option of that name may say that all edges weigh the same.
    weights <- if (!is.null(read$weights) && is.null(options$weights)) paste0('"weights":[', paste(sprintf("%.17g", read$weights), collapse = ","), "]")
    paste0("{", paste(c(named, paste0('"n":', anticlique_exact(read$n)), paste0('"edges":', array(t(read$edges) - 1)), weights), collapse = ","), "}")
  }
  rows <- file.path(folder, "rows.jsonl")
  answers <- file.path(folder, "answers.jsonl")
  writeLines(vapply(reads, row, ""), rows)
  anticlique_ask(command, folder, c("--json", "--library", file.path(folder, "library"), "batch", rows, "--output", answers))
  results <- Map(function(read, line) {
    failure <- anticlique_failure(line)
    if (!is.null(failure)) return(if (errors == "stop") stop(failure) else failure)
    found <- sub('^.*"(members|pairs|values)":\\[(.*)\\]\\}$', "\\2", line)
    numbers <- scan(text = gsub('[]["]', "", found), what = double(), sep = ",", na.strings = "null", quiet = TRUE)
    anticlique_result(read, algorithm, numbers, sub(',"(members|pairs|values)":\\[.*$', "}", line))
  }, reads, readLines(answers))
  if (is.null(names(graphs))) unname(results) else stats::setNames(results, names(graphs))
}

# A list of what is known of a result: algorithm, size, weight, upper_bound, verified, seconds, hash; NA where it is not.
anticlique_facts <- function(result) {
  document <- attr(result, "document")
  field <- function(name) if (grepl(paste0('"', name, '":'), document)) sub(paste0('^.*?"', name, '":("([^"]*)"|[^,}]*).*$'), "\\1", document, perl = TRUE) else NA
  number <- function(name) suppressWarnings(as.numeric(field(name)))
  kind <- anticlique_kind(document)
  list(
    algorithm = gsub('"', "", field("algorithm")), size = number(if (kind %in% c("matching", "b-matching")) "pairs" else "size"), weight = number("weight"),
    upper_bound = number("upperBound"), verified = identical(field("verified"), "true"), seconds = number("totalMs") / 1000, hash = gsub('"', "", field("hash"))
  )
}

# The igraph graph with a result as an attribute of its vertices: whether each is a member, its partner or NA, or its value.
anticlique_mark <- function(graph, result, name = "anticlique") {
  n <- igraph::vcount(graph)
  igraph::set_vertex_attr(graph, name, value = switch(anticlique_kind(attr(result, "document")),
    "independent-set" = seq_len(n) %in% result,
    matching = { partner <- rep(NA_real_, n); partner[result[, 1]] <- result[, 2]; partner[result[, 2]] <- result[, 1]; partner },
    as.vector(result)
  ))
}

# A sparse matrix of Matrix with a row for each vertex.
anticlique_matrix <- function(result) {
  n <- attr(result, "vertices")
  kind <- anticlique_kind(attr(result, "document"))
  if (kind %in% c("matching", "b-matching")) return(Matrix::sparseMatrix(i = result[, 1], j = result[, 2], dims = c(n, n), symmetric = TRUE))
  if (kind == "independent-set") return(Matrix::sparseMatrix(i = as.vector(result), j = rep(1, length(result)), x = 1, dims = c(n, 1)))
  groups <- match(result, sort(unique(as.vector(result))))
  Matrix::sparseMatrix(i = which(!is.na(groups)), j = groups[!is.na(groups)], x = 1, dims = c(n, max(groups, 0, na.rm = TRUE)))
}

# A result in the vertices of the graph. numbers: from 0, as files and rows have them.
anticlique_result <- function(read, algorithm, numbers, document) {
  kind <- anticlique_kind(document)
  named <- function(v) if (is.null(read$ids)) v else read$ids[v]
  if (kind == "values" && algorithm == "bfs-tree") numbers <- named(numbers + 1)
  if (kind != "values") numbers <- named(numbers + 1)
  if (kind %in% c("matching", "b-matching")) numbers <- matrix(numbers, ncol = 2, byrow = TRUE)
  structure(numbers, document = document, vertices = read$n)
}

anticlique_kind <- function(document) sub('^.*?"kind":"([a-z-]+)".*$', "\\1", document, perl = TRUE)

anticlique_exact <- function(value) format(value, scientific = FALSE, trim = TRUE, digits = 15)

# Vertices of an option by their numbers from 1.
anticlique_numbers <- function(read, value, name) {
  if (!is.null(read$ids)) value <- match(value, read$ids, nomatch = 0)
  if (!is.numeric(value)) stop("vertices of ", name, " are numbers from 1 to ", read$n)
  beyond <- setdiff(value, seq_len(read$n))
  if (length(beyond) > 0) stop("the graph has no vertex ", beyond[1], ", which ", name, " names")
  value
}

# The text that a call prints. What it refuses is an error with the remedy.
anticlique_ask <- function(command, folder, words) {
  program <- strsplit(command, " ", fixed = TRUE)[[1]]
  answer <- file.path(folder, "answer.json")
  errors <- file.path(folder, "errors.txt")
  status <- system2(program[1], shQuote(c(program[-1], words)), stdout = answer, stderr = errors)
  text <- if (file.exists(answer)) paste(readLines(answer, warn = FALSE), collapse = "\n") else ""
  if (status == 0) return(text)
  said <- if (file.exists(errors)) paste(readLines(errors, warn = FALSE), collapse = " ") else ""
  failure <- anticlique_failure(text)
  message <- paste("anticlique:", if (nzchar(said) || is.null(failure)) said else conditionMessage(failure))
  stop(structure(class = c("anticlique_error", "error", "condition"), list(message = message, call = NULL, remedy = if (is.null(failure)) "" else failure$remedy)))
}

# The error of a document, or NULL.
anticlique_failure <- function(text) {
  if (!grepl('"error":{', text, fixed = TRUE)) return(NULL)
  field <- function(name) {
    pattern <- paste0('^.*"error":.*?"', name, '":"((?:[^"\\\\]|\\\\.)*)".*$')
    if (grepl(pattern, text, perl = TRUE)) gsub('\\\\(.)', "\\1", sub(pattern, "\\1", text, perl = TRUE)) else ""
  }
  place <- field("where")
  message <- paste0(if (nzchar(place)) paste0(place, ": "), field("what"), ". ", field("remedy"))
  structure(class = c("anticlique_error", "error", "condition"), list(message = message, call = NULL, remedy = field("remedy")))
}

# A graph with the weights that the algorithm takes.
anticlique_read <- function(graph, rule, algorithm) {
  anticlique_weighed(anticlique_edges(graph), rule, algorithm %in% c("ld-gpu", "b-suitor", "mis2-aggregates", "spin-glass"))
}

# list(n, edges from 1, weights or NULL) of what people call a graph.
anticlique_edges <- function(graph) {
  if (inherits(graph, "igraph")) {
    weights <- igraph::edge_attr(graph, "weight")
    return(list(n = igraph::vcount(graph), edges = igraph::as_edgelist(graph, names = FALSE), weights = weights, rule = "reject"))
  }
  if (is.data.frame(graph)) {
    named <- if (all(c("source", "target") %in% names(graph))) c("source", "target") else names(graph)[1:2]
    ends <- lapply(graph[named], function(end) if (is.factor(end)) as.character(end) else end)
    if (anyNA(unlist(ends))) stop("an end of an edge is missing (NA)")
    ids <- sort(unique(c(ends[[1]], ends[[2]])), method = "radix")
    edges <- cbind(match(ends[[1]], ids), match(ends[[2]], ids))
    return(list(n = length(ids), edges = edges, weights = graph[["weight"]], rule = "reject", ids = ids))
  }
  if (is.list(graph) && !is.null(graph$edges)) {
    edges <- matrix(as.numeric(as.matrix(graph$edges)), ncol = 2)
    return(list(n = if (is.null(graph$n)) max(edges, 0) else graph$n, edges = edges, weights = graph$weights, rule = "reject"))
  }
  if (length(dim(graph)) != 2 || nrow(graph) != ncol(graph)) stop("a graph is a square matrix, an igraph graph, a data frame of edges or list(n, edges, weights)")
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
  graph$weights <- if (compares || all(is.finite(values) & values > 0)) values
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
    wrong <- which(!is.finite(weights) | weights <= 0)
    if (length(wrong) > 0) {
      ends <- edges[wrong[1], ]
      stop("the weight ", weights[wrong[1]], " of the edge between ", ends[1], " and ", ends[2], " is not finite and greater than zero")
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
  count <- length(from)
  first <- rep(TRUE, count)
  if (count > 1) first[-1] <- from[-1] != from[-count] | to[-1] != to[-count]
  file <- file(path, "wb")
  on.exit(close(file))
  words <- function(x) writeBin(as.integer(ifelse(x >= 2^31, x - 2^32, x)), file, size = 4, endian = "little")
  # R has no integers of 64 bits: the lower and upper halves in turn.
  longs <- function(x) words(as.vector(rbind(x %% 2^32, x %/% 2^32)))
  arcs <- sum(first)
  values <- if (!is.null(values)) as.numeric(values[order][first])
  # 32-bit floats where all weights are such; else those of 64 bits.
  isnarrow <- is.null(values) || all(readBin(writeBin(values, raw(), size = 4), "numeric", length(values), size = 4) == values)
  bytes <- if (is.null(values)) 0 else if (isnarrow) 4 else 8
  longs(c(1, bytes, n, arcs))
  longs(cumsum(tabulate(from[first] + 1, n)))
  words(to[first])
  if (arcs %% 2 == 1) words(0)
  if (bytes > 0) writeBin(values, file, size = bytes, endian = "little")
}
