# Makes repeated.json by R 4.2 (base and stats alone): repeated measures over three conditions and more, simultaneous
# intervals, geometric means, and shares on the logit scale. Run here: Rscript makeRepeated.R
# Numbers are doubles to 17 digits. Rows of `values` are replicates, columns are conditions; null is "missing".

set.seed(20261128)

number <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(x, collapse = ", "), "]")
numbers <- function(x) list_of(number(x))
object <- function(...) {
  parts <- list(...)
  paste0("{", paste0("\"", names(parts), "\": ", unlist(parts), collapse = ", "), "}")
}
rows <- function(m) list_of(apply(m, 1, numbers))

# One factor within replicates: F of the multivariate model of an intercept, corrected by Greenhouse and Geisser.
repeated <- function(values, transform = identity) {
  whole <- transform(values[complete.cases(values), , drop = FALSE])
  k <- ncol(whole)
  n <- nrow(whole)
  table <- anova(lm(whole ~ 1), X = ~1, test = "Spherical")
  # Its F has ten digits where values are large beside their differences: by sums of squares without the mean of each
  # replicate it has all, as 50-digit arithmetic confirms.
  within <- whole - rowMeans(whole)
  rest <- sweep(within, 2, colMeans(within))
  f <- n * sum(colMeans(within)^2) / (sum(rest^2) / (n - 1))
  stopifnot(abs(f / table[1, "F"] - 1) < 1e-8)
  # Of the printed table epsilon has only a few digits: from the covariance of orthonormal contrasts it has all.
  contrasts <- qr.Q(qr(contr.helmert(k)))
  s <- t(contrasts) %*% cov(whole) %*% contrasts
  epsilon <- sum(diag(s))^2 / ((k - 1) * sum(s^2))
  df <- c(k - 1, (k - 1) * (n - 1)) * epsilon
  p <- pf(f, df[1], df[2], lower.tail = FALSE)
  stopifnot(abs(p - table[1, "G-G Pr"]) < 1e-8)
  # The same F by the linear model with replicates as blocks.
  long <- data.frame(y = as.vector(whole), c = gl(k, n), r = factor(rep(seq_len(n), k)))
  stopifnot(abs(anova(lm(y ~ r + c, long))["c", "F"] / f - 1) < 1e-8)
  object(values = rows(values), n = n, f = number(f), df = numbers(df), epsilon = number(epsilon), p = number(p))
}

draw <- function(n, shifts, between, within) {
  base <- rnorm(n, 100, between)
  signif(sapply(shifts, function(shift) base + shift + rnorm(n, 0, within)), 8)
}

spread <- draw(8, c(0, 4, 9, 12), 20, 3)
spread[, 4] <- signif(spread[, 4] + rnorm(8, 0, 12), 8)
incomplete <- draw(9, c(0, 3, 5), 10, 2)
incomplete[2, 3] <- NA
incomplete[7, 1] <- NA
cases <- list(
  draw(3, c(0, 5, 9), 20, 2), draw(6, c(0, 0, 0), 20, 3), spread, incomplete,
  draw(3, c(0, 1, 2, 3, 4, 5), 5, 1), draw(40, c(0, 8, 16), 10, 2)
)

# Welch's t of all pairs, and intervals that hold together by Bonferroni.
simultaneous <- function(groups, paired = FALSE) {
  pairs <- combn(length(groups), 2)
  m <- ncol(pairs)
  level <- 1 - 0.05 / m
  found <- apply(pairs, 2, function(of) {
    t <- t.test(groups[[of[2]]], groups[[of[1]]], paired = paired, conf.level = level)
    object(of = list_of(of - 1), p = number(t$p.value), ci95 = numbers(t$conf.int))
  })
  object(groups = list_of(sapply(groups, numbers)), paired = tolower(paired), pairs = list_of(found))
}

# Means of logarithms or logits, transformed back, and their comparison.
transformed <- function(a, b, to, back, effect) {
  t <- t.test(to(b), to(a))
  center <- function(x) object(center = number(back(mean(to(x)))), ci95 = numbers(back(t.test(to(x))$conf.int)))
  object(
    a = numbers(a), b = numbers(b), groups = list_of(c(center(a), center(b))),
    effect = number(exp(mean(to(b)) - mean(to(a)))), ci95 = numbers(exp(t$conf.int)),
    t = number(t$statistic), df = number(t$parameter), p = number(t$p.value)
  )
}

share <- function(n, mean) signif(plogis(rnorm(n, qlogis(mean), 0.6)), 6)
three <- lapply(c(10, 12, 15), function(mean) signif(rnorm(5, mean, 2), 7))
four <- lapply(c(5, 5, 6, 9), function(mean) signif(rnorm(4, mean, 1), 7))

# Quantiles between 5 and 6 degrees of freedom, where those of scipy 1.10 have nine digits.
dfs <- c(5.0001, 5.25, 5.5, 5.75, 5.9999, 2.5, 31.7)

lines <- c(
  paste0("  \"repeated\": ", list_of(sapply(cases, repeated))),
  paste0("  \"repeatedRatio\": ", list_of(sapply(cases[c(1, 3, 4)], repeated, transform = log))),
  paste0("  \"simultaneous\": ", list_of(c(
    simultaneous(three), simultaneous(four), simultaneous(as.list(as.data.frame(cases[[1]])), paired = TRUE)
  ))),
  paste0("  \"geometric\": ", transformed(
    signif(rlnorm(4, 1, 0.3), 7), signif(rlnorm(6, 1.8, 0.5), 7), log, exp
  )),
  paste0("  \"logit\": ", list_of(c(
    transformed(share(4, 0.1), share(5, 0.3), qlogis, plogis), transformed(share(3, 0.97), share(3, 0.5), qlogis, plogis)
  ))),
  paste0("  \"quantiles\": ", object(df = numbers(dfs), t = numbers(qt(0.975, dfs))))
)
writeLines(c("{", paste(lines, collapse = ",\n"), "}"), "repeated.json")
