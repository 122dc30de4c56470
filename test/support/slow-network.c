// A switch with slow links, for nodes.mjs: a TAP device in each of some network namespaces, and a thread that passes on what comes from each. A link
// takes so many bits a second each way, and every frame takes the delay besides. Kernels without sch_netem have no such thing.
//   slow-network BITS_A_SECOND DELAY_US NAMESPACE DEVICE ...
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PORTS = 16, MOST_BYTES = 1 << 16, QUEUED = 4096, ADDRESS_BYTES = 6 };
/** Preamble, checksum and gap of a frame on a wire. */
#define WIRE_BYTES 24
/** A port that is so far behind is not read: its device queues, and connections slow down. */
#define BACKLOG_NS 2000000LL

typedef struct {
  int64_t atNs;
  uint32_t bytes;
  unsigned char frame[];
} Frame;

static struct Port {
  int file;
  unsigned char address[ADDRESS_BYTES];
  /** When its link is free again, from the device and to it. */
  int64_t fromNs, toNs;
  pthread_mutex_t lock;
  pthread_cond_t filled;
  Frame *queue[QUEUED];
  unsigned first, end;
} ports[MOST_PORTS];
static int count;
static double nsAByte;
static int64_t delayNs;

static int64_t nowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000LL * now.tv_sec + now.tv_nsec;
}

static void untilNs(int64_t atNs) {
  struct timespec at = {atNs / 1000000000LL, atNs % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
  }
}

/** The later of two moments, and what the frame takes there. */
static int64_t through(int64_t *freeNs, int64_t fromNs, uint32_t bytes) {
  *freeNs = (fromNs > *freeNs ? fromNs : *freeNs) + (int64_t)(nsAByte * (bytes + WIRE_BYTES));
  return *freeNs;
}

static void queueFor(struct Port *to, int64_t arrivedNs, const unsigned char *frame, uint32_t bytes) {
  Frame *queued = malloc(sizeof *queued + bytes);
  memcpy(queued->frame, frame, bytes);
  queued->bytes = bytes;
  pthread_mutex_lock(&to->lock);
  if (to->end - to->first == QUEUED) free(queued); // A full switch drops.
  else {
    queued->atNs = through(&to->toNs, arrivedNs, bytes) + delayNs;
    to->queue[to->end++ % QUEUED] = queued;
    pthread_cond_signal(&to->filled);
  }
  pthread_mutex_unlock(&to->lock);
}

static void *readPort(void *argument) {
  struct Port *from = argument;
  static _Thread_local unsigned char frame[MOST_BYTES];
  for (;;) {
    ssize_t bytes = read(from->file, frame, sizeof frame);
    if (bytes < 2 * ADDRESS_BYTES) exit(1);
    memcpy(from->address, frame + ADDRESS_BYTES, ADDRESS_BYTES);
    int64_t arrivedNs = through(&from->fromNs, nowNs(), bytes);
    struct Port *only = NULL;
    for (int i = 0; i < count; i++)
      if (memcmp(ports[i].address, frame, ADDRESS_BYTES) == 0) only = &ports[i];
    for (int i = 0; i < count; i++)
      if (&ports[i] != from && (only == NULL || only == &ports[i])) queueFor(&ports[i], arrivedNs, frame, bytes);
    if (arrivedNs > nowNs() + BACKLOG_NS) untilNs(arrivedNs - BACKLOG_NS / 2);
  }
}

static void *writePort(void *argument) {
  struct Port *to = argument;
  for (;;) {
    pthread_mutex_lock(&to->lock);
    while (to->first == to->end) pthread_cond_wait(&to->filled, &to->lock);
    Frame *next = to->queue[to->first++ % QUEUED];
    pthread_mutex_unlock(&to->lock);
    untilNs(next->atNs);
    // A device that is not up yet takes none.
    if (write(to->file, next->frame, next->bytes) < 0) {
    }
    free(next);
  }
  return NULL;
}

static int openTap(const char *space, const char *name) {
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  int at = open(space, O_RDONLY);
  if (at < 0 || setns(at, CLONE_NEWNET) != 0) return -1;
  close(at);
  int file = open("/dev/net/tun", O_RDWR);
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  return file < 0 || ioctl(file, TUNSETIFF, &request) != 0 ? -1 : file;
}

int main(int words, char **word) {
  nsAByte = words > 2 ? 8e9 / atof(word[1]) : 0;
  delayNs = words > 2 ? 1000LL * atoll(word[2]) : 0;
  for (int i = 3; i + 1 < words && count < MOST_PORTS; i += 2, count++) {
    struct Port *port = &ports[count];
    port->file = openTap(word[i], word[i + 1]);
    if (port->file < 0) {
      perror(word[i]);
      return 1;
    }
    pthread_mutex_init(&port->lock, NULL);
    pthread_cond_init(&port->filled, NULL);
  }
  // A switch does not wait for processors.
  setpriority(PRIO_PROCESS, 0, -20);
  pthread_t thread;
  for (int i = 0; i < count; i++)
    if (pthread_create(&thread, NULL, readPort, &ports[i]) != 0 || pthread_create(&thread, NULL, writePort, &ports[i]) != 0)
      return 1;
  puts("ready");
  fflush(stdout);
  pause();
}
