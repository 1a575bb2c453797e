/* Echo server of tests/kit/echo_session.py, as fast as one thread of C.

   A frame is `length: u32`, `id: u64`, both big-endian, then length - 8 bytes. The first byte of
   an id says what the frame is, the rest is the number of a call or the key of a listener.

   Listens on a free port of 127.0.0.1, prints it, and ends when its standard input does. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum kind { HELLO, CALL, LATE, REFUSE, SUBSCRIBE, PUSH, HEARTBEAT, FAIL };

enum {
    HEADER = 12,
    MAX_FRAME = 1 << 24,  /* the session has the same limit */
    MAX_EVENTS = 1 << 20, /* pushed for one SUBSCRIBE */
    MAX_UNSENT = 1 << 20, /* who does not read its replies is not heard any more */
    CHUNK = 1 << 18,
    READY = 256,
    BACKLOG = 4096,
};

struct buffer {
    uint8_t *data;
    size_t begin, end, room;
};

struct peer {
    int fd;
    uint32_t interest;
    bool silent;        /* it will write no more */
    bool ended;         /* nothing more is answered; closed once all was sent */
    struct buffer in, out;
    struct buffer late; /* answers that wait for the next call */
};

static int epoll;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static size_t held(const struct buffer *b)
{
    return b->end - b->begin;
}

/* Returns where `size` more bytes can be written; `grow` by as many as were. */
static uint8_t *room(struct buffer *b, size_t size)
{
    if (b->begin == b->end)
        b->begin = b->end = 0;
    if (b->room - b->end < size) {
        memmove(b->data, b->data + b->begin, held(b));
        b->end = held(b);
        b->begin = 0;
        if (b->room - b->end < size) {
            b->room = 2 * (b->end + size);
            b->data = realloc(b->data, b->room);
            if (!b->data)
                die("realloc");
        }
    }
    return b->data + b->end;
}

static void append(struct buffer *b, const void *data, size_t size)
{
    if (size)
        memcpy(room(b, size), data, size);
    b->end += size;
}

static void frame(struct buffer *b, enum kind kind, uint64_t number, const void *payload,
                  size_t size)
{
    uint32_t length = htobe32(8 + (uint32_t)size);
    uint64_t id = htobe64((uint64_t)kind << 56 | number);
    append(b, &length, sizeof length);
    append(b, &id, sizeof id);
    append(b, payload, size);
}

/* Answers one frame; returns whether it was one that may be sent. */
static bool answer(struct peer *p, enum kind kind, uint64_t number, const uint8_t *payload,
                   size_t size)
{
    switch (kind) {
    case CALL:
        frame(&p->out, CALL, number, payload, size);
        append(&p->out, p->late.data + p->late.begin, held(&p->late));
        p->late.begin = p->late.end;
        return true;
    case LATE:
        frame(&p->late, CALL, number, payload, size);
        return true;
    case HELLO:
    case HEARTBEAT:
    case REFUSE:
        frame(&p->out, kind, number, payload, size);
        return true;
    case FAIL:
        frame(&p->out, FAIL, number, payload, size);
        p->ended = true;
        return true;
    case SUBSCRIBE: {
        uint64_t key;
        uint32_t count;
        if (size != sizeof key + sizeof count)
            return false;
        memcpy(&key, payload, sizeof key);
        memcpy(&count, payload + sizeof key, sizeof count);
        count = be32toh(count);
        if (count > MAX_EVENTS)
            return false;
        frame(&p->out, CALL, number, "", 0);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t event = htobe64(i);
            frame(&p->out, PUSH, be64toh(key), &event, sizeof event);
        }
        return true;
    }
    default:
        return false;
    }
}

/* Answers the frames that are whole. */
static void answer_all(struct peer *p)
{
    while (!p->ended && held(&p->in) >= HEADER && held(&p->out) < MAX_UNSENT) {
        const uint8_t *at = p->in.data + p->in.begin;
        uint32_t length;
        uint64_t id;
        memcpy(&length, at, sizeof length);
        memcpy(&id, at + sizeof length, sizeof id);
        length = be32toh(length);
        id = be64toh(id);
        if (length < 8 || length > MAX_FRAME) {
            p->ended = true;
            return;
        }
        if (held(&p->in) < 4 + (size_t)length)
            return;
        if (!answer(p, id >> 56, id & (UINT64_MAX >> 8), at + HEADER, length - 8))
            p->ended = true;
        p->in.begin += 4 + (size_t)length;
    }
}

/* Sends what can be sent; returns whether the peer is still there. */
static bool send_out(struct peer *p)
{
    while (held(&p->out)) {
        ssize_t sent = send(p->fd, p->out.data + p->out.begin, held(&p->out), MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN;
        p->out.begin += (size_t)sent;
    }
    return true;
}

/* Reads once; returns whether the peer is still there. */
static bool read_in(struct peer *p)
{
    ssize_t got = recv(p->fd, room(&p->in, CHUNK), CHUNK, 0);
    if (got < 0)
        return errno == EAGAIN;
    p->silent = got == 0;
    p->in.end += (size_t)got;
    return true;
}

static void watch(struct peer *p, int operation, uint32_t interest)
{
    struct epoll_event event = {.events = interest, .data.ptr = p};
    if (interest == p->interest)
        return;
    if (epoll_ctl(epoll, operation, p->fd, &event) < 0)
        die("epoll_ctl");
    p->interest = interest;
}

static void forget(struct peer *p)
{
    close(p->fd);
    free(p->in.data);
    free(p->out.data);
    free(p->late.data);
    free(p);
}

static void serve(struct peer *p, uint32_t ready)
{
    bool there = true;
    if (ready & (EPOLLIN | EPOLLHUP | EPOLLERR))
        there = read_in(p);
    bool full;
    do { /* what was read may wait for room to answer it */
        answer_all(p);
        full = held(&p->out) >= MAX_UNSENT;
        there = there && send_out(p);
    } while (there && full && held(&p->out) < MAX_UNSENT);
    if (!there || ((p->silent || p->ended) && !held(&p->out))) {
        forget(p);
        return;
    }
    bool listen = !p->silent && !p->ended && held(&p->out) < MAX_UNSENT;
    watch(p, EPOLL_CTL_MOD, (listen ? EPOLLIN : 0) | (held(&p->out) ? EPOLLOUT : 0));
}

static void accept_all(int listener)
{
    int fd, yes = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct peer *p = calloc(1, sizeof *p);
        if (!p)
            die("calloc");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        p->fd = fd;
        watch(p, EPOLL_CTL_ADD, EPOLLIN);
    }
}

static void watch_always(int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        die("epoll_ctl");
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 ||
        listen(listener, BACKLOG) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) < 0)
        die("listen");
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0)
        die("epoll_create1");
    struct rlimit files; /* a connection each */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    signal(SIGINT, SIG_IGN); /* of who started it; we end with our standard input */
    watch_always(listener, &listener);
    watch_always(STDIN_FILENO, &epoll);
    printf("%u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);

    struct epoll_event ready[READY];
    for (;;) {
        int count = epoll_wait(epoll, ready, READY, -1);
        for (int i = 0; i < count; i++) {
            void *what = ready[i].data.ptr;
            char byte;
            if (what == &listener)
                accept_all(listener);
            else if (what != &epoll)
                serve(what, ready[i].events);
            else if (read(STDIN_FILENO, &byte, 1) <= 0)
                return 0;
        }
    }
}
