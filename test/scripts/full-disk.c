// A disk that gets full, for full-disk.mjs. The file FULL_STATE has two numbers: the writes below FULL_UNDER so far, of all processes that have the file,
// and from which of them on they fail with ENOSPC, 0 for never. What takes no room (to read, rename, remove, shorten) succeeds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
  _Atomic long count, at;
} *state;
static const char *under;

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FULL_STATE");
  under = getenv("FULL_UNDER");
  int file = path ? NEXT(open)(path, O_RDWR) : -1;
  if (file < 0 || under == NULL) return;
  void *shared = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared != MAP_FAILED) state = shared;
}

static int isFull(const char *path) {
  if (state == NULL || strncmp(path, under, strlen(under)) != 0) return 0;
  return atomic_fetch_add(&state->count, 1) + 1 >= state->at && state->at > 0;
}

static int isFullOf(int file) {
  char link[40], path[PATH_MAX];
  if (state == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return isFull(path);
}

#define WRITES(type, name, params, args) \
  type name params { \
    static typeof(&name) next; \
    if (next == NULL) next = NEXT(name); \
    if (isFullOf(file)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return next args; \
  }

WRITES(ssize_t, write, (int file, const void *bytes, size_t n), (file, bytes, n))
WRITES(ssize_t, pwrite, (int file, const void *bytes, size_t n, off_t to), (file, bytes, n, to))
WRITES(ssize_t, pwrite64, (int file, const void *bytes, size_t n, off64_t to), (file, bytes, n, to))
WRITES(ssize_t, writev, (int file, const struct iovec *parts, int n), (file, parts, n))
WRITES(ssize_t, pwritev, (int file, const struct iovec *parts, int n, off_t to), (file, parts, n, to))
WRITES(ssize_t, pwritev64, (int file, const struct iovec *parts, int n, off64_t to), (file, parts, n, to))
WRITES(ssize_t, copy_file_range, (int from, off64_t *a, int file, off64_t *b, size_t n, unsigned flags), (from, a, file, b, n, flags))
WRITES(ssize_t, sendfile, (int file, int from, off_t *a, size_t n), (file, from, a, n))
WRITES(ssize_t, sendfile64, (int file, int from, off64_t *a, size_t n), (file, from, a, n))

static int isNew(int folder, const char *path, int flags) {
  if (state == NULL || !(flags & O_CREAT) || faccessat(folder, path, F_OK, 0) == 0) return 0;
  return path[0] == '/' ? isFull(path) : folder != AT_FDCWD && isFullOf(folder);
}

#define OPENS(name, params, args, folder) \
  int name params { \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    if (isNew(folder, path, flags)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return NEXT(name) args; \
  }

OPENS(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPENS(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPENS(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), folder)
OPENS(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), folder)

int mkdir(const char *path, mode_t mode) {
  if (isFull(path)) {
    errno = ENOSPC;
    return -1;
  }
  return NEXT(mkdir)(path, mode);
}

#define GROWS(name, type) \
  int name(int file, type bytes) { \
    struct stat found; \
    if (state != NULL && fstat(file, &found) == 0 && bytes > found.st_size && isFullOf(file)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    return NEXT(name)(file, bytes); \
  }

GROWS(ftruncate, off_t)
GROWS(ftruncate64, off64_t)
